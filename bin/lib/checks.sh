# Sourced by bin/test: runs named steps, keeps their output in build/test-logs, and counts.

TEST_LOGS=$GRAMPUS_HOME/build/test-logs
PASSED=0
FAILED=0
FAILED_NAMES=()

# step NAME COMMAND...: runs a command, says how it went, goes on in any case
step() {
  local name=$1 began log code=0
  shift
  mkdir -p "$TEST_LOGS"
  log=$TEST_LOGS/$name.log
  began=$SECONDS
  printf '%-28s ' "$name"
  ("$@") >"$log" 2>&1 || code=$?
  if [ "$code" = 0 ]; then
    PASSED=$((PASSED + 1))
    printf 'ok    %4d s  %s\n' $((SECONDS - began)) "$(grep -h '^kill loop: [0-9]* kills, [0-9]* op\|^checked:' "$log" | tail -1)"
  else
    FAILED=$((FAILED + 1))
    FAILED_NAMES+=("$name")
    printf 'FAILED %3d s\n' $((SECONDS - began))
    tail -60 "$log"
  fi
}

# summary: the closing line; false when a step failed
summary() {
  [ "$FAILED" = 0 ] || echo "failed: ${FAILED_NAMES[*]}; whole logs in build/test-logs"
  echo "$PASSED passed, $FAILED failed"
  [ "$FAILED" = 0 ]
}
