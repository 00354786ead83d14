# shellcheck shell=bash
# Sourced by environment.sh in a checkout: finds or installs what a build needs, and builds.

# apt_install PACKAGE...: true when the packages are there afterwards
apt_install() {
  [ "$(id -u)" = 0 ] && have apt-get || return 1
  note "installing $* from the distribution's packages"
  mkdir -p "$GRAMPUS_HOME/build"
  # Steps beside each other would find the package system locked.
  (
    flock 9
    apt-get install -y -q "$@" || { apt-get update -q && apt-get install -y -q "$@"; }
  ) 9>"$GRAMPUS_HOME/build/apt.lock" >&2
}

require_java() {
  find_java "${1:-java}" && return
  apt_install openjdk-17-jdk-headless && find_java "${1:-java}" && return
  die "needs JDK 17 to 22 ($(java_found)); install openjdk-17-jdk or set JAVA_HOME"
}

require_maven() {
  have mvn && return
  apt_install maven && have mvn && return
  die "needs Maven 3.6 or later on the PATH to build; install it from your distribution (package maven)"
}

require_go() {
  have go && return
  apt_install golang-go && have go && return
  die "needs Go 1.18 or later on the PATH to judge histories; install it from your distribution (package golang-go)"
}

require_python() {
  python_fits && return
  apt_install python3 python3-venv && python_fits && return
  die "needs Python 3.10 or later with venv to read downloads back; install it from your distribution (packages python3 and python3-venv)"
}
python_fits() { have python3 && python3 -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; }

# require_venv FILE: sets VENV, where Python has the packages that FILE lists; kept below build/ until FILE changes
require_venv() {
  VENV=$GRAMPUS_HOME/build/python
  cmp -s "$1" "$VENV/requirements.txt" && return
  require_python
  note "installing the Python packages of ${1#"$GRAMPUS_HOME/"}"
  rm -rf "$VENV"
  { python3 -m venv "$VENV" && "$VENV/bin/pip" install -q --only-binary :all: -r "$1" && cp "$1" "$VENV/requirements.txt"; } >&2 ||
    die "the Python packages of ${1#"$GRAMPUS_HOME/"} could not be installed"
}

# require_pyspark VERSION: sets PYSPARK, where the Python of VENV finds that version of Spark; kept below build/. PyPI has it as a source alone
require_pyspark() {
  PYSPARK=$GRAMPUS_HOME/build/pyspark-$1
  [ -f "$PYSPARK/.complete" ] && return
  note "installing Spark $1"
  rm -rf "$PYSPARK"
  { "$VENV/bin/pip" install -q --only-binary :all: --no-binary pyspark --target "$PYSPARK" "pyspark==$1" && touch "$PYSPARK/.complete"; } >&2 ||
    die "Spark $1 could not be installed"
}

# have_shellcheck: true when it is there afterwards
have_shellcheck() { have shellcheck || { apt_install shellcheck && have shellcheck; }; }

# require_strace: the test that traces a process demands it from now on; without bin/test it compares what the process prints alone, and says so
require_strace() {
  [ "$(uname)" = Linux ] || { note "nothing but Linux has strace: no test sees which system calls a reader of frozen files makes"; return; }
  have strace || { apt_install strace && have strace; } ||
    die "strace is neither there nor could be installed (package strace): no test would see which system calls a reader of frozen files makes"
  strace -f -o /dev/null true 2>/dev/null || { note "this machine forbids to trace processes: no test sees which system calls a reader of frozen files makes"; return; }
  export GRAMPUS_DEMAND_STRACE=1
}

require_linker() {
  have cc && return
  apt_install gcc libc6-dev && have cc && return
  die "needs a C compiler and linker to build the engine; install gcc and libc6-dev"
}

require_rust() {
  local pinned
  pinned=$(sed -n 's/^channel *= *"\(.*\)"/\1/p' "$GRAMPUS_HOME/native/rust-toolchain.toml")
  [ -x "$HOME/.cargo/bin/cargo" ] && PATH=$HOME/.cargo/bin:$PATH
  if ! have rustup && ! have cargo; then
    apt_install rustup || die "needs the Rust toolchain $pinned to build; install rustup (https://rustup.rs), it then takes the pinned version by itself"
  fi
  if have rustup && ! rustup run "$pinned" rustc --version >/dev/null 2>&1; then
    note "installing Rust $pinned with rustup"
    rustup toolchain install "$pinned" --profile minimal -c rustfmt -c clippy >&2 ||
      die "Rust $pinned (native/rust-toolchain.toml) is not installed and rustup could not fetch it"
  fi
  (cd "$GRAMPUS_HOME/native" && cargo --version) >/dev/null 2>&1 ||
    die "cargo does not run in native/; install Rust $pinned with rustup"
}

require_build_tools() { require_java javac; require_maven; require_linker; require_rust; }

# The profile of the native library: bin/test and what it starts take another one than that of releases. .built names that of the last build.
NATIVE_PROFILE=${GRAMPUS_NATIVE_PROFILE:-release}

# maven ARGS...: quiet and without colour; the wrapper of every build
maven() { (cd "$GRAMPUS_HOME" && mvn -B -ntp -Dnative.profile="$NATIVE_PROFILE" "$@"); }

LIB=$GRAMPUS_HOME/build/lib

built_profile() { cat "$LIB/.built" 2>/dev/null; }
# note_built [FILE]: as of the time of a file, or of now. An archive of the classes of other jars would make starts slower
note_built() {
  rm -f "$CLASS_ARCHIVE"
  echo "$NATIVE_PROFILE" >"$LIB/.built"
  [ -z "${1:-}" ] || touch -r "$1" "$LIB/.built"
}

# NewestSource.java has the same list.
sources_changed() {
  [ "$(built_profile)" = "$NATIVE_PROFILE" ] || return 0
  [ -n "$(find "$GRAMPUS_HOME/pom.xml" "$GRAMPUS_HOME"/{native,hbase-compat,server,mapreduce,perf-eval} \
    \( -name target -o -name fuzz \) -prune -o -type f \
    \( -name '*.java' -o -name '*.rs' -o -name 'pom.xml' -o -name '*.toml' -o -name 'Cargo.lock' -o -path '*/src/main/resources/*' \) \
    -newer "$LIB/.built" -print -quit)" ]
}

# modules_built: of Maven's output, the module that it builds now
modules_built() { sed -un -E 's#^\[INFO\] Building (Grampus.*[^ ]) +[0-9][^ ]* +\[([0-9]+/[0-9]+)\]$#grampus: \2 \1#p' >&2; }

# ensure_built: builds on first use and after a change of the sources, but not below the measuring tool, which sets GRAMPUS_MEASURING: all that
# it starts is what was built when it began
ensure_built() {
  { [ -z "${GRAMPUS_MEASURING:-}" ] && sources_changed; } || { require_java; return 0; }
  require_build_tools
  mkdir -p "$GRAMPUS_HOME/build"
  # Two commands at once would write the same files; the second one finds the build of the first. macOS has no flock.
  (
    ! have flock || flock -n 9 || { note "waiting for another command's build"; flock 9; }
    if sources_changed; then build; fi
  ) 9>"$GRAMPUS_HOME/build/build.lock" || exit 1
}

build() {
  note "building (the first time takes some minutes)"
  touch "$GRAMPUS_HOME/build/begun" # a source that changes meanwhile is newer
  maven package -DskipTests 2>&1 | tee "$GRAMPUS_HOME/build/build.log" | modules_built ||
    { tail -40 "$GRAMPUS_HOME/build/build.log" >&2; die "the build failed; the whole log is in build/build.log"; }
  note_built "$GRAMPUS_HOME/build/begun"
}

SHELL_LIB=$GRAMPUS_HOME/build/shell-lib

# require_shell: the class path of HBase's own shell, resolved from Maven on first use
require_shell() {
  require_java
  [ ! -f "$SHELL_LIB/.resolved" ] || return 0
  require_maven
  note "resolving HBase's shell"
  mkdir -p "$GRAMPUS_HOME/build"
  mvn -B -q -ntp -f "$GRAMPUS_HOME/hbase-compat/shell/pom.xml" dependency:copy-dependencies -DoutputDirectory="$SHELL_LIB" \
    >"$GRAMPUS_HOME/build/shell.log" 2>&1 || die "the shell could not be resolved; see build/shell.log"
  touch "$SHELL_LIB/.resolved"
}
