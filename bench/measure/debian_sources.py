"""Downloads source packages from the Debian mirrors that this machine is set up for, also where only binary packages
are configured. Nothing outside the given folder changes, and no rights are needed."""
import subprocess

from measure.common import progress


def mirrors():
    """The lines of a sources.list for the source packages of Debian, made from where the binary packages come from. Of the
    release alone if it is there: its updates change Debian's patches, which are not used here."""
    listed = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)",
                             "Created-By: Packages", "Origin: Debian"], capture_output=True, text=True, check=False)
    lines = sorted(set(listed.stdout.splitlines()))
    return [f"deb-src {line}" for line in [line for line in lines if "-" not in line.split()[1]] or lines]


def apt_options(folder):
    """apt with a state of its own in `folder`; None if the lists of packages cannot be downloaded."""
    options = ["-qq", "-o", f"Dir::Etc::sourcelist={folder}/sources.list", "-o", "Dir::Etc::sourceparts=/dev/null",
               "-o", f"Dir::State::lists={folder}/lists", "-o", f"Dir::Cache={folder}"]
    if (folder / "lists.complete").exists():
        return options
    lines = mirrors()
    (folder / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    (folder / "sources.list").write_text("\n".join(lines) + "\n", encoding="ascii")
    done = subprocess.run(["apt-get", *options, "update"], capture_output=True, check=False)
    if not lines or done.returncode != 0:
        return None
    (folder / "lists.complete").touch()
    return options


def fetch(name, folder):
    """The unpacked source of the package as its authors published it, without Debian's patches; None if it cannot be had."""
    source = folder / "source" / name
    if source.exists():
        return source
    archives = folder / "archives" / name  # the archive may have another name than the package
    archives.mkdir(parents=True, exist_ok=True)
    progress(f"downloading the source of {name}")
    options = apt_options(folder)
    if options is None:
        return None
    download = ["apt-get", *options, "source", "--download-only", "--tar-only", name]
    if subprocess.run(download, cwd=archives, capture_output=True, check=False).returncode != 0:
        return None
    archive = next((found for found in archives.glob("*.orig.tar.*") if found.suffix != ".asc"), None)
    unpacked = folder / "source" / f"{name}.part"
    unpacked.mkdir(parents=True, exist_ok=True)
    unpack = ["tar", "xf", str(archive), "-C", str(unpacked), "--strip-components=1"]
    if archive is None or subprocess.run(unpack, check=False).returncode != 0:
        return None
    return unpacked.rename(source)
