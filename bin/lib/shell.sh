#!/usr/bin/env bash
# HBase's own shell against the server that GRAMPUS_CONF_DIR describes.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
require_shell
# shellcheck disable=SC2086 # options are lists of words
exec "$JAVA" $JAVA_OPENS --add-opens java.base/java.io=ALL-UNNAMED --add-opens java.base/java.security=ALL-UNNAMED \
  --add-opens java.base/java.util.regex=ALL-UNNAMED --add-opens java.base/java.net=ALL-UNNAMED \
  -Xmx512m -Djava.io.tmpdir="$TEMPORARY" -Dhbase.ruby.sources=classpath: -Dlog4j.configuration="file:$GRAMPUS_HOME/conf/log4j-shell.properties" \
  -cp "${GRAMPUS_CONF_DIR:-$GRAMPUS_HOME/conf}${HADOOP_CONF_DIR:+:$HADOOP_CONF_DIR}:$SHELL_LIB/*" org.jruby.Main -X+O classpath:jar-bootstrap.rb "$@"
