JAVA_OPTS="-Dx=1"
CATALINA_OPTS="-Dy=${JAVA_OPTS}x"
case "$1" in run|start) CATALINA_OPTS="$CATALINA_OPTS -Dz=9";; esac
