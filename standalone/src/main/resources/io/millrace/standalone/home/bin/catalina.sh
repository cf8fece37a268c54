#!/bin/sh
# Starts and stops Millrace as Tomcat's script of this name does with Tomcat, for tools that call it. This is not Tomcat.
# The rules for JAVA_HOME, JAVA_OPTS, CATALINA_OPTS, CATALINA_PID, CATALINA_OUT, JPDA_ADDRESS and bin/setenv.sh are those of
# millrace/bin/millrace, which reads them.
set -eu

die() {
    echo "catalina.sh: $*" >&2
    exit 1
}

usage() {
    cat >&2 <<'END'
Usage: catalina.sh [jpda] COMMAND
  run               the server in this terminal
  start             the server in the background; its output goes to logs/catalina.out
  stop [N] [-force] ends it; running requests have N seconds; -force kills it if that does not succeed
  configtest        reads conf/server.xml, and reports its problems
  version           prints the versions of Tomcat that tools ask for, and of Millrace
  jpda run|start    with a port for debuggers (JPDA_ADDRESS, default localhost:8000)
END
    exit 1
}

# The directory above this file's, with symbolic links resolved.
self=$0
while [ -h "$self" ]; do
    target=$(readlink "$self")
    case $target in
        /*) self=$target ;;
        *) self=$(dirname "$self")/$target ;;
    esac
done
CATALINA_HOME=$(cd "$(dirname "$self")/.." && pwd -P)
CATALINA_BASE=${CATALINA_BASE:-$CATALINA_HOME}
export CATALINA_HOME CATALINA_BASE
millrace=$CATALINA_HOME/millrace/bin/millrace
[ -x "$millrace" ] || die "$millrace is missing. Write this directory again: millrace tomcat-home --force $CATALINA_HOME"
MILLRACE_TOMCAT_HOME=$CATALINA_HOME
export MILLRACE_TOMCAT_HOME

if [ "${1:-}" = jpda ]; then
    MILLRACE_JPDA=on
    export MILLRACE_JPDA
    shift
    case ${1:-} in
        run | start) ;;
        *) die "jpda needs run or start behind it." ;;
    esac
fi

[ $# -gt 0 ] || usage
command=$1
shift
for word in "$@"; do
    [ "$word" != -security ] || die "-security: there is no security manager in Java 17 and later as Tomcat 9 used it; start without it."
done

# Kills the server whose process the files of the base directory name.
kill_server() {
    work=$CATALINA_BASE/work
    for file in "${CATALINA_PID:-/nowhere}" "$work/admin/pid"; do
        if [ -s "$file" ]; then
            process=$(cat "$file")
            if tr '\0' ' ' <"/proc/$process/cmdline" 2>/dev/null | grep -q -e io.millrace -e org.apache.catalina.startup.Bootstrap; then
                kill -9 "$process"
                echo "killed process $process"
                return 0
            fi
        fi
    done
    return 1
}

case $command in
    run)
        exec "$millrace" start --base "$CATALINA_BASE" "$@"
        ;;
    start)
        MILLRACE_BACKGROUND=on
        export MILLRACE_BACKGROUND
        exec "$millrace" start --base "$CATALINA_BASE" "$@"
        ;;
    stop)
        grace=
        force=
        for word in "$@"; do
            case $word in
                -force) force=yes ;;
                *[!0-9]* | '') die "stop $word: expected a number of seconds, or -force." ;;
                *) grace=${word}s ;;
            esac
        done
        status=0
        if [ -n "$force" ]; then
            limit=${grace:-5s}
            timeout "$((${limit%s} + 5))" "$millrace" stop --base "$CATALINA_BASE" --grace "$limit" || status=$?
            [ "$status" = 0 ] || kill_server || exit "$status"
        else
            exec "$millrace" stop --base "$CATALINA_BASE" ${grace:+--grace "$grace"}
        fi
        ;;
    configtest)
        exec "$millrace" check --base "$CATALINA_BASE" "$CATALINA_BASE/conf/server.xml"
        ;;
    version)
        exec "$millrace" version --tomcat
        ;;
    debug)
        die "debug: there is no debugger in the terminal; use jpda run, and connect one to port 8000."
        ;;
    *)
        usage
        ;;
esac
