// GCC's own headers, for the plugin.
#pragma once

// The order of GCC's own headers matters.
// clang-format off
#include <gcc-plugin.h>
#include <plugin-version.h>

#include <context.h>
#include <tree.h>
#include <gimple.h>
#include <tree-pass.h>
#include <ssa.h>
#include <builtins.h>
#include <cfganal.h>
#include <cfgloop.h>
#include <cgraph.h>
#include <fold-const.h>
#include <gimple-iterator.h>
#include <gimplify.h>
#include <gimplify-me.h>
#include <output.h>
#include <stringpool.h>
#include <tree-cfg.h>
#include <tree-dfa.h>
#include <tree-into-ssa.h>
#include <tree-ssa-dce.h>
#include <varasm.h>
// clang-format on
