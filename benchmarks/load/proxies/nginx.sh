#!/bin/sh
# nginx with one worker as a proxy of $BACKEND (host:port); everything it writes goes under $TMP_DIR.
# H2C_PORT: a further port, which speaks HTTP/2 with prior knowledge; TEMP_FILES: responses that clients take slowly may go to files.
set -e
: "${PORT:?}" "${BACKEND:?}" "${TMP_DIR:?}"
D="$TMP_DIR/nginx-proxy-$PORT"
mkdir -p "$D"
USER_LINE=""
[ "$(id -u)" = 0 ] && USER_LINE="user root;"
cat > "$D/nginx.conf" <<CONF
$USER_LINE
worker_processes 1;
worker_rlimit_nofile 40000;
pid $D/nginx.pid;
error_log $D/error.log crit;
events { worker_connections 20000; }
http {
  access_log off;
  client_body_temp_path $D/b; proxy_temp_path $D/p; fastcgi_temp_path $D/f; uwsgi_temp_path $D/u; scgi_temp_path $D/s;
  keepalive_timeout 300s; keepalive_requests 100000000;
  upstream backend { server $BACKEND; keepalive 1100; keepalive_requests 100000000; }
  server {
    listen ${HOST:-127.0.0.1}:$PORT backlog=4096;
    ${H2C_PORT:+listen ${HOST:-127.0.0.1}:$H2C_PORT http2 backlog=4096;}
    location / {
      proxy_pass http://backend; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host \$host;
      ${TEMP_FILES:-proxy_max_temp_file_size 0;}
    }
  }
}
CONF
exec nginx -p "$D" -c "$D/nginx.conf" -g 'daemon off;'
