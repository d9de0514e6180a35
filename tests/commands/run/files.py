"""Files that runs leave behind: they are named where they may explain something, and --cwd-snapshot puts them back."""

import os
import pathlib
import shutil
import subprocess
import tempfile

from snagtest import case, each, expect, expect_equal, prepare, run, skip

REFUSED = "a rename or link failed with EXDEV"
PROGRAM = pathlib.Path(__file__).resolve().parent / "programs" / "counts_runs.cc"


@prepare
def compile_programs(test):
    test.compile(PROGRAM, "counts")
    test.compile(PROGRAM.with_name("finds_its_file.cc"), "finds_its_file")
    test.compile(PROGRAM.with_name("renames_folder.cc"), "renames")
    test.compile(PROGRAM.with_name("writes_files.cc"), "writes")


def make_folder():
    """What a test may find in its folder."""
    pathlib.Path("data/deep").mkdir(parents=True)
    pathlib.Path("data/kept.txt").write_text("kept")
    pathlib.Path("data/deep/gone.txt").write_text("gone")
    pathlib.Path("link").symlink_to("data/kept.txt")


def check_folder():
    left = sorted(path.name for path in pathlib.Path(".").iterdir() if path.name != "snag-traces")
    expect_equal(left, ["data", "link"], "the folder has changed")
    expect_equal(pathlib.Path("data/kept.txt").read_text(), "kept", "a file has changed")
    expect(pathlib.Path("data/deep/gone.txt").exists(), "a file is gone")


@case
def named_when_not_confirmed(test):
    """The run that fails is the fourth one, which finds what three others have left."""
    make_folder()
    done = test.snag("run", "--quiet", "--seed", "1", "--runs", "20", "--", test.shared / "counts", "4", code=1)
    expect("not confirmed: " in done.out and "count.txt (created)" in done.out, "the file is not named", done)
    expect("--cwd-snapshot on" in done.out and "addresses used as values" not in done.out, "the wrong advice", done)


@case
def named_when_confirmed(test):
    """The second run and its replay find what the first run has left; the first one of a search finds nothing."""
    make_folder()
    done = test.json("run", "--quiet", "--seed", "1", "--runs", "20", "--json", "--", test.shared / "finds_its_file", code=1)
    failure = done["failures"][0]
    expect(failure["confirmed"] and failure["runs"] == 2, "a replay finds the file, too", failure)
    expect_equal(failure["used_changed_files"], [{"path": "left.txt", "change": "created"}], "the files")
    pathlib.Path("left.txt").unlink()
    test.snag("run", "--quiet", "--seed", "1", "--runs", "20", "--", test.shared / "finds_its_file", code=1,
              says=["confirmed by a replay\nbut the run used files that earlier runs had changed: left.txt (created); ",
                    "--cwd-snapshot on shows whether they are the cause"])
    test.snag("run", "--quiet", "--seed", "1", "--runs", "20", "--", test.shared / "finds_its_file", code=1,
              says="confirmed by a replay", silent_about="but the run used files")
    pathlib.Path("left.txt").unlink()
    test.snag("run", "--quiet", "--seed", "1", "--runs", "20", "--cwd-snapshot", "on", "--",
              test.shared / "finds_its_file", says="no failure in 20 schedules")


@case
def named_in_the_summary(test):
    make_folder()
    done = test.json("run", "--quiet", "--seed", "1", "--runs", "5", "--json", "--", test.shared / "counts")
    changes = {(entry["path"], entry["change"]) for entry in done["changed_files"]}
    expect_equal(changes, {("count.txt", "created"), ("data/kept.txt", "modified"), ("data/deep/gone.txt", "deleted"),
                           ("made", "created")}, "the changed files")
    expect_equal(done["uncontrolled"].get("runs that left files changed"), 5, "runs that left files changed")


@each({"on": "on", "copy": "copy"})
def put_back(test, how):
    """No run sees what another one did, and the folder stays as it was."""
    make_folder()
    done = test.snag("run", "--quiet", "--seed", "1", "--runs", "20", "--cwd-snapshot", how, "--", test.shared / "counts",
                     "2", says="no failure in 20 schedules", silent_about="left changed")
    check_folder()
    expect("snapshot by" in done.out, "the summary does not say how", done)


@each({"on_parallel": "on", "copy_parallel": "copy"})
def put_back_in_parallel(test, how):
    make_folder()
    test.snag("run", "--quiet", "--seed", "1", "--runs", "20", "-j", "2", "--cwd-snapshot", how, "--",
              test.shared / "counts", "2", says="no failure in 20 schedules")
    check_folder()


@each({"replayed_on": "on", "replayed_copy": "copy"})
def replayed(test, how):
    """A failure of the first run is confirmed, shrunk, and replayed, each time in the folder as it was."""
    make_folder()
    command = ("run", "--quiet", "--seed", "1", "--runs", "2000", "--cwd-snapshot", how, "--", test.shared / "counts", "2",
               "race")
    test.snag(*command, code=1, says="confirmed by a replay")
    check_folder()
    trace = next(pathlib.Path("snag-traces").iterdir())
    expect(f'"cwd_snapshot":"{how}"' in trace.read_text().replace(" ", ""), "the trace does not say it")
    test.snag("replay", "--times", "3", trace, code=1, says="3 of 3 identical")
    test.snag("shrink", "--quiet", "--time", "1", trace, code=1)
    check_folder()


@case
def temporary_files(test):
    """With an overlay, those in TMPDIR are put back, too; a copy leaves them, and says so."""
    make_folder()
    pathlib.Path("tmp").mkdir()
    folder = pathlib.Path("cwd")
    folder.mkdir()
    os.chdir(folder)
    done = test.snag("run", "--quiet", "--seed", "1", "--runs", "5", "--cwd-snapshot", "on", "--", test.shared / "counts",
                     "2", "temporary", env={"TMPDIR": test.folder / "tmp"})
    left = list(pathlib.Path("../tmp").iterdir())
    if "snapshot by overlay" in done.out:
        expect_equal(left, [], "files in TMPDIR")
    else:
        expect("outside of the snapshot" in done.out and len(left) == 5, "files in TMPDIR", done, str(left))


@case
def of_another_user(test):
    """A user without rights gets them in a user namespace; an overlay cannot change files of others, but a copy can."""
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        skip("only root can become another user, with setpriv")
    become = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
    if run(*become, "test", "-x", test.snag_path, code=None).code != 0:
        skip("another user cannot use this build")
    make_folder()
    with tempfile.TemporaryDirectory() as place:  # one that the other user may enter
        os.chmod(place, 0o755)
        program = shutil.copy(test.shared / "counts", place)
        folder = pathlib.Path(place) / "folder"
        shutil.copytree(".", folder, symlinks=True)
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, 65534, 65534, follow_symlinks=False)
        command = (*become, test.snag_path, "run", "--quiet", "--runs", "20", "--cwd-snapshot", "on", "--", program, "2")
        first = run(*command, cwd=folder, says="no failure in 20 schedules")
        renames = shutil.copy(test.shared / "renames", place)
        second = run(*command[:-2], renames, cwd=folder, says="no failure in 20 schedules")
        if "snapshot by overlay" in first.out:
            # Between the folder for temporary files and this one may be files of others.
            expect("snapshot by overlay without TMPDIR" in first.out, "TMPDIR is left out, which is not said", first)
            expect(REFUSED in second.out, "the refused rename is not said", second)
        os.chown(folder / "data", 0, 0)
        os.chmod(folder / "data", 0o777)
        run(*command, cwd=folder, says=["no failure in 20 schedules", "snapshot by copy"])
        os.chdir(folder)
        check_folder()
        os.chdir(test.folder)


@each({"renamed_on": "on", "renamed_copy": "copy"})
def folder_renamed(test, how):
    """A folder that was there before can be renamed, with all that is in it; where an overlay cannot, the summary says so."""
    make_folder()
    done = test.snag("run", "--quiet", "--seed", "1", "--runs", "5", "--cwd-snapshot", how, "--", test.shared / "renames",
                     says="no failure in 5 schedules")
    in_user_namespace = run("unshare", "--mount", "true", code=None).code != 0
    expect_equal(REFUSED in done.out, in_user_namespace and "snapshot by overlay" in done.out,
                 "whether the rename was refused")
    check_folder()


@each({"outside_on": "on", "outside_copy": "copy"})
def outside(test, how):
    """Files outside that a link or ".." leads to are changed for good: the summary names them by their real paths."""
    pathlib.Path("elsewhere").mkdir()
    pathlib.Path("elsewhere/old").write_text("1")
    folder = pathlib.Path("cwd")
    folder.mkdir()
    (folder / "link").symlink_to(test.folder / "elsewhere/old")
    (folder / "inside").mkdir()
    os.chdir(folder)
    done = test.json("run", "--quiet", "--runs", "3", "--cwd-snapshot", how, "--json", "--", test.shared / "writes",
                     "link", "../up", "inside/new", env={"TMPDIR": make_temporary(test)})
    changed = {entry["path"]: entry["change"] for entry in done["changed_files"]}
    elsewhere = os.path.realpath(test.folder / "elsewhere/old")
    expect_equal(changed.pop(elsewhere, None), "modified", f"the file behind the link, of {changed}")
    (up, change), = changed.items()
    expect_equal((os.path.basename(up), change), ("up", "created"), 'the file in ".."')
    expect(".." not in up, f"not a real path: {up}")


def make_temporary(test):
    folder = test.folder / "tmp"
    folder.mkdir(exist_ok=True)
    return folder


@case
def without_temporary(test):
    """Another file system below TMPDIR would vanish under an overlay: TMPDIR is left out, and the summary says so."""
    make_folder()
    done = test.snag("run", "--quiet", "--runs", "3", "--cwd-snapshot", "on", "--", test.shared / "writes", "new",
                     env={"TMPDIR": "/"})
    expect("snapshot by overlay without TMPDIR" in done.out or "snapshot by copy" in done.out, "not said", done)


@case
def removed_after_a_kill(test):
    """What a killed snag could not remove, the next one does."""
    make_folder()
    temporary = make_temporary(test)
    os.mkfifo("ready")
    snag = subprocess.Popen([test.snag_path, "run", "--quiet", "--cwd-snapshot", "copy", "--hang-timeout", "60", "--",
                             test.shared / "writes", test.folder / "ready"], env={**os.environ, "TMPDIR": str(temporary)},
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open("ready"):  # the first run is under way
        snag.kill()
        snag.wait()
    expect_equal(len(list(temporary.iterdir())), 1, "folders of the killed one")
    os.remove("ready")
    test.snag("run", "--quiet", "--runs", "3", "--cwd-snapshot", "copy", "--", test.shared / "writes", "new",
              env={"TMPDIR": temporary})
    expect_equal(list(temporary.iterdir()), [], "left folders")


@case
def too_big_to_copy(test):
    for number in range(101):
        folder = pathlib.Path(f"{number}")
        folder.mkdir()
        for file in range(100):
            (folder / f"{file}").touch()
    test.snag("run", "--quiet", "--runs", "5", "--cwd-snapshot", "copy", "--", test.shared / "counts", code=3,
              says="start Snag in a smaller folder")


@case
def bad_value(test):
    test.snag("run", "--cwd-snapshot", "maybe", "--", test.shared / "counts", code=2, says='"on", "copy" or "off"')
