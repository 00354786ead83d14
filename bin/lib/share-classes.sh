#!/usr/bin/env bash
# share-classes: writes a class data sharing (CDS) archive of the classes of servers and jobs (JEP 310) beside the jars. Why, and how it is used:
# docs/design/0053-release.md.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
. "$(dirname "${BASH_SOURCE[0]}")/server.sh"
GRAMPUS=$GRAMPUS_HOME/bin/grampus

[ $# -eq 0 ] || die "usage: bin/grampus share-classes"
require_java
# The JVM unites paths of jars with addresses of classes, and finds none again where one has to be escaped in the other.
case $LIB in *[!A-Za-z0-9/._+~@,-]*) die "the JVM shares no classes of jars in $LIB; their path may have letters, digits and /._+~@,- alone" ;; esac
[ -w "$LIB" ] || die "cannot write to $LIB, where the archive lies beside the jars; run this as the owner of the installation"
make_work_directory "$DATA_DIR" share-classes
cd "$WORK" # options are lists of words, which a data directory with a space would break: files are named relative to it
unset HADOOP_CONF_DIR # a cluster's site files would send the download to its file system
export GRAMPUS_MEASURING=1 # what runs here is not built again
export GRAMPUS_SHARED_CLASSES=no # of an archive of before
export GRAMPUS_DATA_DIR=$WORK/data
BRIEF=-XX:TieredStopAtLevel=1 # no process lives long enough for the second compiler

# list_classes NAME COMMAND...: a command of bin/grampus; the names of the classes that it loads go to NAME.classes
list_classes() {
  GRAMPUS_CLIENT_OPTS="-XX:DumpLoadedClassList=$1.classes $BRIEF -Xmx1g" "$GRAMPUS" "${@:2}" >"$1.out" 2>&1 ||
    { tail -20 "$1.out" >&2; die "bin/grampus ${*:2} failed"; }
}

# names_of FILE...: the classes of lists, without what Java 21 adds to them: numbers, which differ among lists, and classes of other loaders
names_of() {
  local line
  cat -- "$@" | while read -r line; do
    case $line in '#'* | *' source: '*) ;; *) echo "${line%% id: *}" ;; esac
  done | sort -u
}

# java LOG ARGS...: the JVM of servers and jobs
# shellcheck disable=SC2086 # options are lists of words
java() { "$JAVA" $JAVA_OPENS $BRIEF "${@:2}" >"$1" 2>&1 || { tail -20 "$1" >&2; die "$JAVA could not write the archive, or not start with it"; }; }

note "running a server and two jobs, to list the classes that they load"
# Without the caller's GRAMPUS_OPTS, which may set a port that a running server has.
GRAMPUS_OPTS="-XX:DumpLoadedClassList=server.classes $BRIEF" start_server grampus "$WORK/server"
printf 'key,value\n1,2\n' >rows.csv
list_classes import import rows.csv rows --key=key
list_classes download download rows --to "$WORK/rows" --format parquet
stop_server
note "writing the archive"
names_of ./*.classes >classes
# Of the first collector's archive the JVM sees whether its end is missing; it fits others, too.
java dump.out -XX:+UseG1GC -Xshare:dump -XX:SharedClassListFile=classes -XX:SharedArchiveFile=classes.jsa -cp "$LIB/*"
# shellcheck disable=SC2086
java check.out $SERVER_JVM -Xshare:on -XX:+VerifySharedSpaces -XX:SharedArchiveFile=classes.jsa -Xlog:class+load:file=loaded -cp "$LIB/*" org.grampus.server.daemon.Grampus version
[[ $(<loaded) == *'org.grampus.server.daemon.Grampus source: shared objects file'* ]] || die "$JAVA does not find our classes in the archive that it has written"
UNFINISHED=$(mktemp "$CLASS_ARCHIVE.XXXXXX") # on the same disk as the archive, so that mv is atomic
{ cat classes.jsa >"$UNFINISHED" && chmod 644 "$UNFINISHED" && sync "$UNFINISHED" && mv "$UNFINISHED" "$CLASS_ARCHIVE"; } || die "cannot write $CLASS_ARCHIVE"
echo "checked: an archive of $(($(wc -c <"$CLASS_ARCHIVE") >> 20)) MiB in $CLASS_ARCHIVE"
