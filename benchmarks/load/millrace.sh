#!/bin/sh
# Starts the built product with the benchmark's web application, from a base directory of its own under $TMP_DIR.
# Arguments: the transport, then the java command and its options.
# MILLRACE_CONNECTOR: further attributes of both connectors; MILLRACE_TLS: of the one with TLS; MILLRACE_FILES: in the Context
# of the files; MILLRACE_PROTOCOLS: elements within both connectors, as UpgradeProtocol.
set -e
: "${PORT:?}" "${TMP_DIR:?}" "${DOCROOT:?}"
here=$(cd "$(dirname "$0")" && pwd)
transport=$1
shift
dist=${MILLRACE_DIST:-$here/../../standalone/target/dist}
base=$TMP_DIR/millrace-$PORT
rm -rf "$base"
mkdir -p "$base/conf" "$base/webapps/ROOT/WEB-INF/lib"
cp "$here"/peers/webapp/target/bench-webapp-1.jar "$base/webapps/ROOT/WEB-INF/lib/"
cp "$here"/peers/webapp/src/main/webapp/WEB-INF/web.xml "$base/webapps/ROOT/WEB-INF/"

[ -z "${WEBSOCKET:-}" ] || cp "$here"/peers/websocket/target/bench-websocket-1.jar "$base/webapps/ROOT/WEB-INF/lib/"

# The attributes that both ports have; $1 is the port.
common() {
    cat <<CONF
port="$1" address="${HOST:-127.0.0.1}" protocol="$transport" maxThreads="${MAX_THREADS:-200}"
               maxConnections="30000" acceptCount="4096" connectionTimeout="60000" keepAliveTimeout="300000"
               maxKeepAliveRequests="-1" ${MILLRACE_CONNECTOR:-}
CONF
}

tls_connector() {
    cat <<CONF
    <Connector $(common "${TLS_PORT:?}")
               SSLEnabled="true" scheme="https" secure="true" ${MILLRACE_TLS:-}>
      ${MILLRACE_PROTOCOLS:-}
      <SSLHostConfig protocols="TLSv1.2+TLSv1.3">
        <Certificate certificateFile="${CERT:?}" certificateKeyFile="${KEY:?}" />
      </SSLHostConfig>
    </Connector>
CONF
}

# For httpd.py.
ajp_connector() {
    [ -z "${AJP_PORT:-}" ] || cat <<CONF
    <Connector port="$AJP_PORT" address="${HOST:-127.0.0.1}" protocol="AJP/1.3" secretRequired="false"
               maxThreads="${MAX_THREADS:-200}" />
CONF
}

cat >"$base/conf/server.xml" <<CONF
<Server port="-1">
  <Service name="bench">
    <Connector $(common "$PORT")>${MILLRACE_PROTOCOLS:-}</Connector>
$(tls_connector)
$(ajp_connector)
    <Engine name="bench" defaultHost="localhost">
      <Host name="localhost" appBase="webapps">
        <Context path="/file" docBase="$DOCROOT/file">${MILLRACE_FILES:-}</Context>
      </Host>
    </Engine>
  </Service>
</Server>
CONF
JAVA_HOME=$(dirname "$(dirname "$(readlink -f "$1")")")
shift
JAVA_OPTS=$*
MILLRACE_ARCHIVE=off # the first start would create a class archive in the background
export JAVA_HOME JAVA_OPTS MILLRACE_ARCHIVE
exec "$dist/bin/millrace" start --base "$base"
