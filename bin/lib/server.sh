# shellcheck shell=bash
# Sourced behind environment.sh: starts and stops a server that runs beside others, on free ports of loopback and below a directory of its own.

# free_ports COUNT: that many free ports on loopback, one per line
free_ports() {
  local port found=0
  for ((port = 20000 + RANDOM % 12000; found < $1; port++)); do
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; found=$((found + 1)); }
  done
}

# escaped TEXT: as XML has it. Within quotes & is itself for each bash
escaped() { local text=${1//&/"&amp;"}; echo "${text//</"&lt;"}"; }
property() { printf '  <property><name>%s</name><value>%s</value></property>\n' "$1" "$(escaped "$2")"; }

# make_work_directory DIR NAME: makes DIR/NAME.XXXXXX and sets WORK to it. When the script ends, the server is stopped, and the directory is
# removed, or kept after a failure. UNFINISHED may name a file outside of it that is removed as well, such as one that is not yet renamed.
make_work_directory() {
  mkdir -p "$1"
  WORK=$(mktemp -d "$1/$2.XXXXXX") WORK_NAME=$2 UNFINISHED=
  trap end_work EXIT
  trap 'exit 130' INT TERM
}
end_work() {
  local code=$?
  stop_server
  [ -z "$UNFINISHED" ] || rm -f "$UNFINISHED"
  if [ "$code" = 0 ]; then rm -rf "$WORK"; else note "$WORK_NAME did not finish; its files are in $WORK"; fi
}

# write_site TARGET DIR [KEY VALUE]...: DIR/conf/hbase-site.xml for a server that keeps everything below DIR
write_site() {
  local target=$1 dir=$2 port
  shift 2
  mapfile -t port < <(free_ports 3)
  mkdir -p "$dir/conf" "$dir/logs"
  {
    echo '<configuration>'
    property hbase.rootdir "file://$dir/hbase"
    property hbase.zookeeper.quorum 127.0.0.1
    property hbase.zookeeper.property.clientPort "${port[0]}"
    property hbase.master.port "${port[1]}"
    property hbase.regionserver.port "${port[2]}"
    property hbase.master.info.port -1
    property hbase.regionserver.info.port -1
    if [ "$target" = hbase ]; then
      property hbase.tmp.dir "$dir/tmp"
      property hbase.zookeeper.property.dataDir "$dir/zookeeper"
      property hbase.unsafe.stream.capability.enforce false
      property hbase.master.hostname localhost
      property hbase.regionserver.hostname localhost
      property hbase.master.ipc.address 127.0.0.1
      property hbase.regionserver.ipc.address 127.0.0.1
    fi
    while [ $# -gt 1 ]; do property "$1" "$2"; shift 2; done
    echo '</configuration>'
  } >"$dir/conf/hbase-site.xml"
}

# serves LOG: whether a server has said so. Without grep, which a machine that runs a release may lack
serves() { [[ $(<"$1") == *'grampus is serving'* || $(<"$1") == *'Master has completed initialization'* ]]; }

# start_server TARGET DIR [KEY VALUE]...: grampus or a stock HBase 2.6.1 from the same class path; returns once it serves, and sets SERVER_PID
start_server() {
  local target=$1 dir=$2 log=$2/server.out
  write_site "$@"
  export GRAMPUS_CONF_DIR=$dir/conf
  : >"$log"
  if [ "$target" = grampus ]; then
    GRAMPUS_LOG_DIR=$dir/logs "$GRAMPUS_HOME/bin/grampus" standalone >"$log" 2>&1 &
  else
    GRAMPUS_CLIENT_OPTS=-Xmx4g "$GRAMPUS_HOME/bin/grampus" run org.apache.hadoop.hbase.master.HMaster start >"$log" 2>&1 &
  fi
  SERVER_PID=$!
  until serves "$log"; do
    kill -0 "$SERVER_PID" 2>/dev/null || { tail -20 "$log" >&2; die "the $target server did not start"; }
    sleep 0.1
  done
}

stop_server() {
  [ -n "${SERVER_PID:-}" ] || return 0 # a bare return in a trap has the failed script's status, and would end the trap
  kill "$SERVER_PID" 2>/dev/null || true
  wait "$SERVER_PID" 2>/dev/null || true
  SERVER_PID=
}
