# shellcheck shell=bash
# Sourced behind environment.sh: the jars of HBase's integration tests and tools.

JUDGES_LIB=$GRAMPUS_HOME/build/judges-lib

# require_judges: resolves the class path that hbase-compat/judges describes, anew when that has changed
require_judges() {
  local described=$GRAMPUS_HOME/hbase-compat/judges/pom.xml
  cmp -s "$described" "$JUDGES_LIB/.resolved" && return
  require_maven
  note "resolving HBase's integration tests"
  rm -rf "$JUDGES_LIB"
  mkdir -p "$GRAMPUS_HOME/build"
  mvn -B -q -ntp -f "$described" dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$JUDGES_LIB" \
    >"$GRAMPUS_HOME/build/judges.log" 2>&1 || die "HBase's integration tests could not be resolved; see build/judges.log"
  cp "$described" "$JUDGES_LIB/.resolved"
}
