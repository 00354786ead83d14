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
work_below "$DATA_DIR" share-classes
cd "$WORK" # options are lists of words, which a data directory with a space would break: files are named relative to it
# The runs are this script's own: site files of a cluster would send them to its file system, and a server's options may name a port that it has.
unset HADOOP_CONF_DIR
BRIEF=-XX:TieredStopAtLevel=1 # none lives long enough for the second compiler
export GRAMPUS_MEASURING=1 GRAMPUS_DATA_DIR=$WORK/data

# list NAME COMMAND...: a command of bin/grampus, the names of whose classes go to NAME.classes
list() {
  GRAMPUS_CLIENT_OPTS="-XX:DumpLoadedClassList=$1.classes $BRIEF -Xmx1g" "$GRAMPUS" "${@:2}" >"$1.out" 2>&1 ||
    { tail -20 "$1.out" >&2; die "bin/grampus ${*:2} failed"; }
}

rm -f "$SHARED_CLASSES" # the runs load their classes out of the jars
note "running a server and jobs once, and listing their classes"
GRAMPUS_OPTS="-XX:DumpLoadedClassList=server.classes $BRIEF" start_server grampus "$WORK/server"
printf 'key,value\n1,2\n' >rows.csv
list import import rows.csv rows --key=key
list download download rows --to "$WORK/rows" --format parquet
stop_server
note "keeping what the JVM makes of them"
cat -- *.classes | sort -u >classes
NEW=$SHARED_CLASSES.$$ # on the same disk, so that no start sees half of it
# shellcheck disable=SC2086 # options are lists of words
"$JAVA" $JAVA_OPENS $BRIEF -Xshare:dump -XX:SharedClassListFile=classes -XX:SharedArchiveFile="$NEW" -cp "$LIB/*" >dump.out 2>&1 ||
  { rm -f "$NEW"; tail -20 dump.out >&2; die "$JAVA could not keep them"; }
mv "$NEW" "$SHARED_CLASSES"
echo "checked: $(wc -l <classes) classes, $(($(wc -c <"$SHARED_CLASSES") >> 20)) MiB in $SHARED_CLASSES"
