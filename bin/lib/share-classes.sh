#!/usr/bin/env bash
# share-classes: class data sharing for servers and jobs (JEP 310). What the JVM makes of their classes is kept in a file beside the jars, which
# later starts map into memory: they need not read, verify and lay out ten thousand classes again. A JVM that the file does not fit, because it
# is another one or a jar has changed, does without.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
. "$(dirname "${BASH_SOURCE[0]}")/server.sh"
GRAMPUS=$GRAMPUS_HOME/bin/grampus

[ $# -eq 0 ] || die "usage: bin/grampus share-classes"
require_java
case $LIB in *' '*) die "the JVM shares no classes of jars below a directory with a space, as in $LIB" ;; esac
[ -w "$LIB" ] || die "cannot write to $LIB, where the file lies beside the jars; run this as the owner of the installation"
mkdir -p "$DATA_DIR"
WORK=$(mktemp -d "$DATA_DIR/share-classes.XXXXXX")
cleanup() {
  local code=$?
  stop_server
  if [ "$code" = 0 ]; then rm -rf "$WORK"; else note "the classes are not shared; what was tried is in $WORK"; fi
}
trap cleanup EXIT
trap 'exit 130' INT TERM
cd "$WORK" # options are lists of words, which a data directory with a space would break: files are named relative to it
export GRAMPUS_MEASURING=1 GRAMPUS_DATA_DIR=$WORK/data

# list NAME COMMAND...: a command of bin/grampus, the names of whose classes go to NAME.classes
list() {
  GRAMPUS_CLIENT_OPTS="-XX:DumpLoadedClassList=$1.classes -Xmx1g" "$GRAMPUS" "${@:2}" >"$1.out" 2>&1 || { tail -20 "$1.out" >&2; die "bin/grampus ${*:2} failed"; }
}

rm -f "$SHARED_CLASSES"
note "running a server and jobs once, and listing their classes"
GRAMPUS_OPTS="-XX:DumpLoadedClassList=server.classes ${GRAMPUS_OPTS:-}" start_server grampus "$WORK/server"
printf 'key,value\n1,2\n' >rows.csv
list import import rows.csv rows --key=key
list download download rows --to "$WORK/rows" --format parquet
stop_server
note "keeping what the JVM makes of them"
cat -- *.classes | sort -u >classes
# shellcheck disable=SC2086 # options are lists of words
"$JAVA" $JAVA_OPENS -Xshare:dump -XX:SharedClassListFile=classes -XX:SharedArchiveFile=archive -cp "$LIB/*" >dump.out 2>&1 ||
  { tail -20 dump.out >&2; die "$JAVA could not keep them"; }
mv archive "$SHARED_CLASSES"
echo "checked: $(wc -l <classes) classes, $(($(wc -c <"$SHARED_CLASSES") >> 20)) MiB in $SHARED_CLASSES"
