# shellcheck shell=bash
# Sourced by bin/dist, which sets SRC, WORK, TRIPLE: what the licences of software in a release ask for.

# shellcheck disable=SC2034 # for bin/dist
THIRD_PARTY_GOAL=org.codehaus.mojo:license-maven-plugin:2.4.0:add-third-party

cargo_home() { echo "${CARGO_HOME:-$HOME/.cargo}"; }

# third_party TREE: lists, licences and notices of what is in its jars and in the engine
third_party() {
  local texts=$1/licenses listed=target/generated-sources/license/THIRD-PARTY.txt
  mkdir -p "$texts/java" "$texts/rust"
  cp "$SRC/perf-eval/$listed" "$texts/java.txt"
  cp "$SRC/hbase-compat/shell/$listed" "$texts/java-shell.txt"
  texts_of_jars "$texts/java" "$1"/lib/*.jar "$1"/lib/shell/*.jar
  crates >"$texts/rust.txt"
  texts_of_crates "$texts/rust" "$texts/rust.txt"
  { cat "$SRC/NOTICE"; notices "$texts/java"; } >"$1/NOTICE"
}

# texts_of_jars DIR JAR...: licences and notices that jars hold, in DIR/JAR
texts_of_jars() {
  local to=$1 jar name
  for jar in "${@:2}"; do
    name=$(basename "$jar" .jar)
    case $name in grampus-*) continue ;; esac
    # exit code 11: it holds none
    unzip -q -o -j -C "$jar" 'META-INF/LICEN[CS]E*' 'META-INF/NOTICE*' 'META-INF/COPYING*' 'LICEN[CS]E*' 'NOTICE*' 'COPYING*' about.html \
      -x '*.class' '*/' -d "$to/$name" 2>/dev/null || [ $? = 11 ] || die "cannot read $jar"
  done
}

# crates: a line for each crate in the library: name, version, licence
crates() {
  (cd "$SRC/native" && cargo tree --locked --offline -p grampus-jni-bridge -e normal --target "$TRIPLE" --prefix none --no-dedupe --format '{p} {l}') |
    sed -n '/^grampus-/!s/^\([^ ]*\) v\([^ ]*\)\( (proc-macro)\)\{0,1\} /\1 \2 /p' | sort -u
}

# texts_of_crates DIR LIST: licences and notices of the crates of a list, and of Rust's own library
texts_of_crates() {
  local name version rust
  while read -r name version _; do
    mkdir -p "$1/$name-$version"
    # Those one level down are of C code in the crate.
    (cd "$(cargo_home)"/registry/src/*/"$name-$version" &&
      find . -maxdepth 2 -type f \( -iname 'LICEN[CS]E*' -o -iname 'NOTICE*' -o -iname 'COPYING*' \) -exec cp --parents -t "$1/$name-$version" {} +)
  done <"$2"
  rust=$(cd "$SRC/native" && rustc --print sysroot)/share/doc/rust
  mkdir -p "$1/rust"
  find "$rust" "$rust/licenses" -maxdepth 1 -type f \( -name 'COPYRIGHT*' -o -name 'LICENSE*' -o -name '*.txt' \) -exec cp -t "$1/rust" {} + 2>/dev/null || true
}

# notices DIR: the notices of jars, each text once
notices() {
  local file sum
  local -A seen=()
  printf '\nThe directory licenses lists the software of others in this release, and has the licences that came with it.\nTheir notices follow.\n'
  while IFS= read -r file; do
    sum=$(sha256sum <"$file")
    [ -z "${seen[$sum]:-}" ] || continue
    seen[$sum]=1
    printf '\n---- %s\n\n' "$(basename "$(dirname "$file")")"
    tr -d '\r' <"$file"
  done < <(find "$1" -iname 'NOTICE*' -type f | sort)
}
