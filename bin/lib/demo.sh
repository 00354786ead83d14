#!/usr/bin/env bash
# The main job on a fresh directory: serve, import a real table, run HBase's PerformanceEvaluation through the stock client, stop.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
. "$(dirname "${BASH_SOURCE[0]}")/server.sh"
GRAMPUS=$GRAMPUS_HOME/bin/grampus
ROWS=${GRAMPUS_DEMO_ROWS:-50000}
CLIENTS=2

make_work_directory "$GRAMPUS_HOME/data" demo

seconds() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(seconds)" 'BEGIN { printf "%.1f", b - a }'; }
RESULTS=()
result() { RESULTS+=("$(printf '%-34s %14s %10s' "$1" "$2" "$3")"); }

start() {
  local began
  began=$(seconds)
  note "starting the server"
  start_server grampus "$WORK"
  result "start" "" "$(since "$began") s"
}

import_flights() {
  local began
  began=$(seconds)
  "$GRAMPUS" import "$GRAMPUS_HOME/perf-eval/data/flights.csv.gz" flights \
    --key=year,month,day,carrier,flight,origin,sched_dep_time -Dhbase.root.logger=WARN 2>&1 | grep -v ' INFO \| WARN ' | tee "$WORK/import.out"
  grep -q 'imported 336,776 rows' "$WORK/import.out" || die "the import did not end; see $WORK/import.out"
  result "import flights, 336,776 x 19" "" "$(since "$began") s"
}

# pe NAME ARGS: one PerformanceEvaluation run
pe() {
  local name=$1 rows millis
  shift
  note "PerformanceEvaluation $name, $CLIENTS x $ROWS rows"
  "$GRAMPUS" pe --nomapred --rows="$ROWS" "$@" "$CLIENTS" >"$WORK/pe-$name.out" 2>&1 || { tail -30 "$WORK/pe-$name.out" >&2; die "PerformanceEvaluation $name failed"; }
  read -r rows millis < <(sed -n 's/.*Finished .*TestClient-[0-9]*.* in \([0-9]*\)ms over \([0-9]*\) rows.*/\1 \2/p' "$WORK/pe-$name.out" |
    awk '{ rows += $2; if ($1 > max) max = $1 } END { print rows, max }')
  [ -n "${millis:-}" ] || die "PerformanceEvaluation $name printed no result; see $WORK/pe-$name.out"
  result "PE $name, 1 KB rows" "$(awk -v r="$rows" -v m="$millis" 'BEGIN { printf "%d rows/s", r * 1000 / m }')" "$(awk -v m="$millis" 'BEGIN { printf "%.1f s", m / 1000 }')"
}

stop() {
  local began
  began=$(seconds)
  note "stopping the server"
  kill "$SERVER_PID"
  wait "$SERVER_PID" || die "the server did not stop cleanly; see $WORK/server.out"
  SERVER_PID=
  result "stop" "" "$(since "$began") s"
}

start
import_flights
pe sequentialWrite sequentialWrite
pe randomRead randomRead
pe scan --caching=1000 scan
stop
printf '\n%-34s %14s %10s\n' "step" "rate" "time"
printf '%s\n' "${RESULTS[@]}"
echo "checked: ${#RESULTS[@]} steps in $SECONDS s"
