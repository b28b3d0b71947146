#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# A step of a pipeline: puts the objects of a checkout in front of users, and fails, with the reason
# in words, if a proxy will not have them. What was running goes on running in that case.
#
#   deploy.sh DIRECTORY [more options of 'holdfast apply']
#
#   HOLDFAST             the command; default: holdfast
#   HOLDFAST_SERVER      where the control plane is; default: this machine
#   HOLDFAST_TOKEN       its token, if it wants one
#   REPORT               where the report goes, in JSON; default: holdfast-report.json
set -u

holdfast=${HOLDFAST:-holdfast}
report=${REPORT:-holdfast-report.json}
if [ $# -lt 1 ]; then
  echo "usage: deploy.sh DIRECTORY [option...]" >&2
  exit 2
fi

"$holdfast" apply "$@" --wait -o json >"$report"
code=$?

# One line per object, or per problem that the check found: STATE or FILE:LINE, the object, what was
# said of it. The report has one field to a line, in an order that stays, so that no other program is
# needed to read it.
objects() {
  awk '
    function text(line) {
      sub(/^[^:]*: "?/, "", line); sub(/"?,?$/, "", line)
      gsub(/\\"/, "\"", line); gsub(/\\\\/, "\\", line)
      return line
    }
    /^      "file": /      { file = text($0) }
    /^      "line": /      { line = text($0) }
    /^      "kind": /      { kind = text($0) }
    /^      "namespace": / { namespace = text($0) }
    /^      "name": /      { name = text($0) }
    /^      "state": /     { state = text($0) }
    /^      "message": /   {
      print (state == "" ? file ":" line ":" : state), kind "/" namespace "/" name, text($0)
    }
  ' "$report"
}

case $code in
  0)
    echo "deployed:"
    objects
    ;;
  3)
    if grep -q '"outcome": "invalid"' "$report"; then
      echo "not valid; nothing was written:" >&2
    else
      echo "rejected by a proxy; the last good generation stays live:" >&2
    fi
    objects | grep -v '^programmed ' >&2
    ;;
  4)
    echo "not all proxies answered in time:" >&2
    objects | grep -v '^programmed ' >&2
    ;;
  *)
    echo "not deployed; see above" >&2
    ;;
esac
exit "$code"
