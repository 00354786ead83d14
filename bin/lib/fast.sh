# shellcheck shell=bash
# Sourced by bin/test: what a change of a few files may have broken, in less than two minutes.

# changed_files COMMIT: files that differ from a commit, also those that git does not know yet
changed_files() { (cd "$GRAMPUS_HOME" && git diff --name-only "$1" && git ls-files --others --exclude-standard) | sort -u; }

# changed_crates FILES: crates with a changed file
changed_crates() { sed -n 's#^native/crates/\([^/]*\)/.*#\1#p' <<<"$1" | sort -u; }

# changed_modules FILES: Maven modules with a changed Java file; the suite's tests start servers and are run by name
changed_modules() {
  sed -n -E 's#^(native/java|hbase-compat/(protocol|adapter)|server|mapreduce(/spark)?|perf-eval)/.*\.java$#\1#p' <<<"$1" | sort -u
}

# changed_suite_tests FILES: test classes of the suite that changed
changed_suite_tests() { sed -n -E 's#^hbase-compat/suite/src/test/java/.*/([A-Za-z]*Test)\.java$#\1#p' <<<"$1" | sort -u; }

# changed_engine_modules FILES: changed modules of the engine's tests, each as the beginning of its tests' names
changed_engine_modules() { sed -n -E 's#^native/crates/engine/tests/engine/([a-z_]+)(\.rs|/.*)$#\1::#p' <<<"$1" | sort -u; }

# changed_engine_processes FILES: changed tests of the engine that have a process of their own; `schedules` has a build of its own, too
changed_engine_processes() {
  sed -n -E 's#^native/crates/engine/tests/([a-z_]+)(\.rs|/.*)$#\1#p' <<<"$1" | sort -u | grep -vxE 'common|engine|schedules'
}

# fast_engine FILES: in native, the engine's own tests, of those over the whole engine the changed ones that are still there, and end_to_end
fast_engine() {
  local name processes=() modules=(end_to_end::)
  while read -r name; do modules+=("$name"); done < <(changed_engine_modules "$1")
  while read -r name; do
    if [ -e "crates/engine/tests/$name" ] || [ -e "crates/engine/tests/$name.rs" ]; then processes+=(--test "$name"); fi
  done < <(changed_engine_processes "$1")
  cargo test --locked --quiet -p grampus-engine --lib ${processes[@]+"${processes[@]}"} &&
    cargo test --locked --quiet -p grampus-engine --test engine -- "${modules[@]}"
}

# fast_rust FILES: formats, compiles everything, and runs the tests of the changed crates
fast_rust() {
  local crate packages=()
  cd "$GRAMPUS_HOME/native" || return 1
  cargo fmt --check && cargo clippy --locked --quiet --workspace --all-targets -- -D warnings || return 1
  for crate in $(changed_crates "$1"); do
    [ "$crate" = engine ] || packages+=(-p "grampus-$crate")
  done
  if [ ${#packages[@]} -gt 0 ]; then cargo test --locked --quiet "${packages[@]}" || return 1; fi
  case " $(changed_crates "$1" | tr '\n' ' ') " in
    *' engine '*) fast_engine "$1" || return 1 ;;
  esac
}

# fast_java FILES: compiles everything, and runs the tests of the changed modules
fast_java() {
  local modules tests
  modules=$(changed_modules "$1" | paste -sd, -)
  tests=$(changed_suite_tests "$1" | paste -sd, -)
  maven -q test-compile -Dnative.skip -Dnative.check.skip || return 1
  if [ -n "$modules" ]; then
    maven test -pl "$modules" -am -Dnative.skip -Dnative.check.skip -Dtest='!org.grampus.compat.suite.**' -Dsurefire.failIfNoSpecifiedTests=false || return 1
  fi
  if [ -n "$tests" ]; then
    maven test -pl hbase-compat/suite -am -Dnative.check.skip -Dtest="$tests" -Dsurefire.failIfNoSpecifiedTests=false || return 1
  fi
}

# fast_limits: sizes of files and lines, and files of tests that nothing compiles
fast_limits() { cd "$GRAMPUS_HOME/native" && cargo test --locked --quiet -p grampus-testkit --test testkit -- limits:: lost_modules::; }

# fast COMMIT: the steps for what differs from a commit
fast() {
  local files
  files=$(changed_files "$1")
  if grep -qE '(^bin/|\.sh$|^\.ci/|^native/java/[a-z-]*$)' <<<"$files"; then step shellcheck check_shell; fi
  if grep -q '^native/' <<<"$files"; then step rust fast_rust "$files"; fi
  if grep -qE '\.(md|java|rs)$' <<<"$files"; then step limits fast_limits; fi
  if grep -qE '(\.java|pom\.xml)$' <<<"$files"; then step java fast_java "$files"; fi
  summary
}
