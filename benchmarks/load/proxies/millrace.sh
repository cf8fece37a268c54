#!/bin/sh
# Starts the built product as a proxy of $BACKENDS, from a base directory of its own under $TMP_DIR.
# Arguments: the transport, then the java command and its options. MILLRACE_PROTOCOLS: elements within the connector, as UpgradeProtocol;
# PROXY_LIMITS: replaces the attributes that let it have as many connections to a backend as any workload needs.
set -e
: "${PORT:?}" "${TMP_DIR:?}" "${BACKENDS:?}"
here=$(cd "$(dirname "$0")" && pwd)
transport=$1
shift
dist=${MILLRACE_DIST:-$here/../../../standalone/target/dist}
base=$TMP_DIR/millrace-proxy-$PORT
rm -rf "$base"
mkdir -p "$base/conf" "$base/webapps"
cat >"$base/conf/server.xml" <<CONF
<Server port="-1">
  <Service name="bench">
    <Connector port="$PORT" address="${HOST:-127.0.0.1}" protocol="$transport" maxConnections="30000" acceptCount="4096"
               connectionTimeout="60000" keepAliveTimeout="300000" maxKeepAliveRequests="-1">${MILLRACE_PROTOCOLS:-}</Connector>
    <Engine name="bench" defaultHost="localhost">
      <Host name="localhost" appBase="webapps">
        <Proxy backends="$BACKENDS" ${PROXY_LIMITS-maxConnections=\"1100\" maxWaiting=\"1100\"} ${PROXY_OPTIONS:-} />
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
