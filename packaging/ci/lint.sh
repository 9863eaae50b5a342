#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The step of action.yml. Its inputs are in the environment. The exit status is that of `mpispec lint`, or 0 instead of 1
# if new warnings are no failure.
set -u

words=(lint -p "$BUILD_DIRECTORY")
[ -z "$CHECKS" ] || words+=("--checks=$CHECKS")
[ -z "$BASELINE" ] || words+=("--baseline=$BASELINE")
if [ -n "$SARIF" ]; then
  words+=(--format=sarif -o "$SARIF")
else
  echo "::add-matcher::$GITHUB_ACTION_PATH/problem-matcher.json"
fi

status=0
"$MPISPEC" "${words[@]}" || status=$?
found=false
[ $status != 1 ] || found=true
echo "new-warnings=$found" >> "$GITHUB_OUTPUT"
[ $status != 1 ] || [ "$FAILS" = true ] || status=0
exit $status
