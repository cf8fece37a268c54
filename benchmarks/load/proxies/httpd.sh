#!/bin/sh
# Apache httpd as a proxy by mod_proxy_http, mod_proxy_ajp or mod_jk. Arguments: http, ajp or jk.
set -e
: "${PORT:?}" "${BACKEND:?}" "${AJP_BACKEND_PORT:?}" "${TMP_DIR:?}"
D="$TMP_DIR/httpd-proxy-$PORT"
mkdir -p "$D"
chmod 755 "$D"
backend_host=${BACKEND%:*}
case $1 in
    http) how="ProxyPass \"/\" \"http://$BACKEND/\"" ;;
    ajp) how="ProxyPass \"/\" \"ajp://$backend_host:$AJP_BACKEND_PORT/\"" ;;
    jk) how='JkMount "/*" back' ;;
esac
printf 'worker.list=back\nworker.back.type=ajp13\nworker.back.host=%s\nworker.back.port=%s\nworker.back.connection_pool_size=1100\n' \
    "$backend_host" "$AJP_BACKEND_PORT" >"$D/workers.properties"
{
    for module in mpm_event authz_core slotmem_shm proxy proxy_ajp proxy_http jk; do
        echo "LoadModule ${module}_module /usr/lib/apache2/modules/mod_$module.so"
    done
    [ "$(id -u)" != 0 ] || printf 'User www-data\nGroup www-data\n'
    cat <<CONF
ServerName localhost
ServerRoot $D
DefaultRuntimeDir $D
PidFile pid
ErrorLog error.log
JkLogFile jk.log
JkShmFile jk.shm
JkWorkersFile workers.properties
ServerLimit 1
StartServers 1
ThreadLimit 1100
ThreadsPerChild 1100
MaxRequestWorkers 1100
MinSpareThreads 1
MaxSpareThreads 1100
MaxKeepAliveRequests 0
KeepAliveTimeout 60
Listen ${HOST:-127.0.0.1}:$PORT
$how
CONF
} >"$D/httpd.conf"
exec /usr/sbin/apache2 -D FOREGROUND -f "$D/httpd.conf"
