# shellcheck shell=bash
# Sourced behind environment.sh: the jars of Hadoop's daemons, and of the programs that use them.

HADOOP_LIB=$GRAMPUS_HOME/build/hadoop-lib

# require_hadoop: resolves the class path that hbase-compat/hadoop describes, anew when that has changed
require_hadoop() {
  local described=$GRAMPUS_HOME/hbase-compat/hadoop/pom.xml
  cmp -s "$described" "$HADOOP_LIB/.resolved" && return
  require_maven
  note "resolving Hadoop's daemons"
  rm -rf "$HADOOP_LIB"
  mkdir -p "$GRAMPUS_HOME/build"
  mvn -B -q -ntp -f "$described" dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$HADOOP_LIB" \
    >"$GRAMPUS_HOME/build/hadoop.log" 2>&1 || die "Hadoop's daemons could not be resolved; see build/hadoop.log"
  cp "$described" "$HADOOP_LIB/.resolved"
}
