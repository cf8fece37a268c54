#!/bin/sh
# Starts a server as its distribution does, by its own script with the script's own settings: one port, one WAR.
# Arguments: millrace or tomcat, the java command, the WAR. The base directory is kept from one start to the next.
set -e
: "${PORT:?}" "${TMP_DIR:?}"
here=$(cd "$(dirname "$0")" && pwd)
server=$1
JAVA_HOME=$(dirname "$(dirname "$(readlink -f "$2")")")
export JAVA_HOME
base=$TMP_DIR/dist-$server-$PORT-$(basename "$3" .war)
[ -d "$base" ] || fresh=1
mkdir -p "$base/conf" "$base/webapps" "$base/logs" "$base/temp" "$base/work"
[ -z "${fresh:-}" ] || cp "$3" "$base/webapps/ROOT.war"

case $server in
    millrace)
        [ -z "${fresh:-}" ] || cat >"$base/conf/server.xml" <<CONF
<Server port="-1">
  <Service name="bench">
    <Connector port="$PORT" address="${HOST:-127.0.0.1}" protocol="HTTP/1.1" connectionTimeout="20000" />
    <Engine name="bench" defaultHost="localhost">
      <Host name="localhost" appBase="webapps" />
    </Engine>
  </Service>
</Server>
CONF
        exec "${MILLRACE_DIST:-$here/../../standalone/target/dist}/bin/millrace" start --base "$base"
        ;;
    tomcat)
        CATALINA_HOME=$(echo "$here"/peers/tomcat9dist/target/apache-tomcat-*)
        CATALINA_BASE=$base
        export CATALINA_HOME CATALINA_BASE
        [ -z "${fresh:-}" ] || {
            cp -R "$CATALINA_HOME"/conf "$base/"
            sed -i "s/<Server port=\"8005\"/<Server port=\"-1\"/; s/port=\"8080\"/port=\"$PORT\" address=\"${HOST:-127.0.0.1}\"/" \
                "$base/conf/server.xml"
        }
        exec "$CATALINA_HOME/bin/catalina.sh" run
        ;;
esac
