# shellcheck shell=bash
# Sourced by bin/*: finds what a run needs, by bash and coreutils alone. Sets GRAMPUS_HOME, DATA_DIR, LIB and JAVA; prints one sentence and
# exits 1 where it cannot help.

GRAMPUS_HOME=${GRAMPUS_HOME:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
export GRAMPUS_HOME
JAVA_MIN=17
JAVA_MAX=22

die() { echo "grampus: $*" >&2; exit 1; }
note() { echo "grampus: $*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }

java_major() { [[ $("$1" -version 2>&1) =~ version\ \"([0-9]+) ]] && echo "${BASH_REMATCH[1]}"; }
java_fits() { local v; v=$(java_major "$1"); [ -n "$v" ] && [ "$v" -ge "$JAVA_MIN" ] && [ "$v" -le "$JAVA_MAX" ]; }

# java_of_path: the java of the PATH. Entries that are empty or relative are passed over: they lead to the current directory, which may hold any program
java_of_path() {
  local java
  while read -r java; do
    case $java in /*) echo "$java"; return ;; esac
  done < <(type -aP java)
  return 1
}
home_of_path() { local java; java=$(java_of_path) && dirname "$(dirname "$(readlink -f "$java")")"; }

# find_java [javac]: a JDK or JRE between 17 and 22; Hadoop's UserGroupInformation fails on JDK 24 and later (HADOOP-19212)
find_java() {
  local tool=${1:-java} home
  case ${JAVA_HOME:-} in '' | /*) ;; *) die "JAVA_HOME is $JAVA_HOME, which is no absolute path; set it to one, or unset it" ;; esac
  for home in "${JAVA_HOME:-}" "$(home_of_path)" /usr/lib/jvm/*; do
    if [ -n "$home" ] && [ -x "$home/bin/java" ] && [ -x "$home/bin/$tool" ] && java_fits "$home/bin/java"; then
      JAVA_HOME=$home JAVA=$home/bin/java
      export JAVA_HOME JAVA
      return 0
    fi
  done
  return 1
}

java_found() { local java; if java=$(java_of_path); then echo "$("$java" -version 2>&1 | head -1) is on the PATH"; else echo "no java is on the PATH"; fi; }

# The JVM reads arguments and names of files in the character set of the locale, and loses what that lacks. cron and systemd start programs in
# the locale C: what is not UTF-8 becomes so, where the machine has such a locale. bash knows without the command locale, which it may lack.
is_utf8() { local euro=$'\xe2\x82\xac'; [ ${#euro} = 1 ]; }
would_be_utf8() { local LC_ALL=$1; is_utf8; }
utf8_locale() {
  local name
  is_utf8 && return
  for name in C.UTF-8 en_US.UTF-8; do
    if would_be_utf8 "$name" 2>/dev/null; then
      export LC_ALL=$name
      return
    fi
  done
}

# Whatever is written lies here, unless a key or a variable of its own says otherwise.
DATA_DIR=${GRAMPUS_DATA_DIR:-$GRAMPUS_HOME/data}
case $DATA_DIR in /*) ;; *) DATA_DIR=$PWD/$DATA_DIR ;; esac

# A checkout builds what it runs. A release was built by bin/dist: it lacks build.sh, and has in lib/ what a checkout has in build/.
if [ -f "$GRAMPUS_HOME/bin/lib/build.sh" ]; then
  CHECKOUT=yes
  . "$GRAMPUS_HOME/bin/lib/build.sh"
else
  # shellcheck disable=SC2034 # for those who source this file
  CHECKOUT='' LIB=$GRAMPUS_HOME/lib SHELL_LIB=$GRAMPUS_HOME/lib/shell
  require_java() { find_java || die "needs a JRE 17 to 22 ($(java_found)); install one, such as openjdk-17-jre-headless, or set JAVA_HOME"; }
  ensure_built() { require_java; }
  require_shell() { require_java; }
fi

# Of class data sharing: written by share-classes, for one JVM and these jars.
# shellcheck disable=SC2034 # for those who source this file
CLASS_ARCHIVE=$LIB/classes.jsa

# What Java programs unpack or keep for a moment stays beside the data, where that can be written.
TEMPORARY=$DATA_DIR/tmp
mkdir -p "$TEMPORARY" 2>/dev/null && [ -w "$TEMPORARY" ] || TEMPORARY=${TMPDIR:-/tmp}

# HBase's list for JDK 17: what its and Hadoop's reflection reaches into
# shellcheck disable=SC2034 # for those who source this file
JAVA_OPENS="--add-opens java.base/java.nio=ALL-UNNAMED --add-opens java.base/sun.nio.ch=ALL-UNNAMED
  --add-opens java.base/java.lang=ALL-UNNAMED --add-opens java.base/jdk.internal.ref=ALL-UNNAMED
  --add-opens java.base/java.lang.reflect=ALL-UNNAMED --add-opens java.base/java.util=ALL-UNNAMED
  --add-opens java.base/java.util.concurrent=ALL-UNNAMED --add-opens java.base/jdk.internal.util.random=ALL-UNNAMED
  --add-exports java.base/jdk.internal.misc=ALL-UNNAMED --add-exports java.security.jgss/sun.security.krb5=ALL-UNNAMED
  --add-exports java.base/sun.net.dns=ALL-UNNAMED --add-exports java.base/sun.net.util=ALL-UNNAMED
  -Dorg.apache.hbase.thirdparty.io.netty.tryReflectionSetAccessible=true"

# Of a server's JVM: collector, first heap and Netty. The echo that bin/grampus compare measures has them, too.
# shellcheck disable=SC2034
SERVER_JVM="-XX:+UseParallelGC -Xms64m -Dio.netty.tryReflectionSetAccessible=true -Dio.netty.leakDetection.level=disabled"

# Methods that C2 must not inline in a server: it would compile them, and all that they call, once for each caller
# (docs/design/0058-cost-of-a-small-call.md).
# shellcheck disable=SC2034
SERVER_NOT_INLINED="-XX:CompileCommand=quiet -XX:CompileCommand=dontinline,org.grampus.server.rpc.Dispatcher::dispatch
  -XX:CompileCommand=dontinline,org.grampus.server.rpc.CallRouter::route -XX:CompileCommand=dontinline,org.grampus.server.rpc.Call::reply"
