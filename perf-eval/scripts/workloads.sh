# shellcheck shell=bash
# Sourced by compare and profile: the workloads that both run, and how often. Needs ROWS (per client) and servers.sh.

run_workload() {
  case $1 in
    sequentialWrite) pe --rows="$ROWS" sequentialWrite 4 ;;
    randomWrite) pe --rows="$((ROWS * 2 / 5))" --autoFlush=true randomWrite 4 ;;
    randomRead) pe --rows="$((ROWS * 2 / 5))" randomRead 4 ;;
    scan) pe --rows="$((ROWS * 4))" --caching=1000 scan 1 ;;
    *) die "unknown workload $1" ;;
  esac
}

# shellcheck disable=SC2017 # each client takes whole rows
operations() {
  case $1 in
    sequentialWrite | scan) echo $((ROWS * 4)) ;;
    *) echo $((ROWS * 2 / 5 * 4)) ;;
  esac
}

# 20 s or 1,000,000 operations
warmups() { case $1 in scan) echo 6 ;; *) echo 1 ;; esac; }

profiled_runs() { case $1 in scan) echo 6 ;; *) echo 1 ;; esac; }
