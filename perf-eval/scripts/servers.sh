# shellcheck shell=bash
# Sourced by the scripts beside it: starts and stops a Grampus or a stock HBase 2.6.1 from the same class path, and runs clients against it.
# Needs GRAMPUS_HOME and the functions of bin/lib/environment.sh.

. "$GRAMPUS_HOME/bin/lib/site.sh"

# start_server TARGET DIR [KEY VALUE]...: returns once it serves; sets SERVER_PID. Environment: SERVER_HEAP.
# shellcheck disable=SC2086 # options are lists of words
start_server() {
  local target=$1 dir=$2 log=$2/server.out
  write_site "$@"
  export GRAMPUS_CONF_DIR=$dir/conf
  : >"$log"
  if [ "$target" = grampus ]; then
    GRAMPUS_LOG_DIR=$dir/logs GRAMPUS_HEAP=${SERVER_HEAP:-512m} "$GRAMPUS_HOME/bin/grampus" standalone >"$log" 2>&1 &
  else
    "$JAVA" -Xmx"${SERVER_HEAP:-4g}" $JAVA_OPENS -Djava.io.tmpdir="$TEMPORARY" -Dlog4j2.configurationFile="$GRAMPUS_HOME/conf/log4j2-client.properties" \
      -cp "$dir/conf:$LIB/*" org.apache.hadoop.hbase.master.HMaster start >"$log" 2>&1 &
  fi
  SERVER_PID=$!
  until grep -q 'grampus is serving\|Master has completed initialization' "$log"; do
    kill -0 "$SERVER_PID" 2>/dev/null || { tail -20 "$log" >&2; die "the $target server did not start"; }
    sleep 0.2
  done
}

# jvm_of PID: the Java process of a server that start_server has started
jvm_of() { pgrep -P "$1" java || echo "$1"; }

# check_memory [MB]: says what the running Grampus has had in memory at most, and fails when that is more than a quarter above the MB that it
# was given, by default half of the machine's. For the moment before a server is stopped: the kernel keeps the figure as long as the process.
check_memory() {
  local given_mb=${1:-$(awk '/^MemTotal/ { print int($2 / 2048) }' /proc/meminfo)} peak_mb verdict
  peak_mb=$(awk '/^VmHWM/ { print int($2 / 1024) }' "/proc/$(jvm_of "$SERVER_PID")/status")
  [ -n "$peak_mb" ] || die "the server's peak of memory is not known: it has ended"
  verdict="peak resident memory: $peak_mb MB, grampus.memory.bytes: $given_mb MB"
  [ "$peak_mb" -le $((given_mb * 5 / 4)) ] || die "$verdict, exceeded by more than 25 %"
  note "$verdict, within it and 25 %"
}

stop_server() {
  [ -n "${SERVER_PID:-}" ] || return 0 # a bare return in a trap has the failed script's status, and would end the trap
  kill "$SERVER_PID" 2>/dev/null || true
  wait "$SERVER_PID" 2>/dev/null || true
  SERVER_PID=
}

# publish DIR: the metrics of the server that starts on DIR next go to DIR/metrics once a second
publish() {
  METRICS=$1/metrics
  mkdir -p "$1/conf"
  cat >"$1/conf/hadoop-metrics2-hbase.properties" <<EOF
*.period=1
hbase.sink.file.class=org.apache.hadoop.metrics2.sink.FileSink
hbase.sink.file.context=regionserver
hbase.sink.file.filename=$METRICS
EOF
}

# engine_metrics: a line for each second; the file's last line may be half written
engine_metrics() { if [ -f "$METRICS" ]; then sed '$d' "$METRICS" | grep 'regionserver.Engine:' || true; fi; }

# await_metrics: the newest line is about now: the first one to come may be from just before
await_metrics() {
  local lines
  lines=$(($(engine_metrics | wc -l) + 2))
  until [ "$(engine_metrics | wc -l)" -ge "$lines" ]; do
    kill -0 "$SERVER_PID" 2>/dev/null || die "the server has ended"
    sleep 0.2
  done
}

# metric NAME: of the engine, in the newest line; 0 if there is none
metric() { engine_metrics | tail -1 | tr ',' '\n' | sed -n "s/^ *$1=//p" | grep . || echo 0; }

# client CLASS ARGS...: a stock client against the running server
client() { "$GRAMPUS_HOME/bin/grampus" run "$@"; }

pe() { client org.apache.hadoop.hbase.PerformanceEvaluation --nomapred "$@"; }

# digest TABLE ARGS...: prints rows=, cells= and digest= of a table
digest() { GRAMPUS_CLIENT_OPTS="-Xmx1g -Dhbase.root.logger=ERROR" client org.grampus.compat.suite.CellDigest "$@" 2>/dev/null; }
