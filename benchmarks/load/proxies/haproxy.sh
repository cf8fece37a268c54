#!/bin/sh
# HAProxy with one thread as a proxy of $BACKEND (host:port), with as many connections to it as Millrace has by default.
# It speaks HTTP/1.1 and, with prior knowledge, HTTP/2 on its port.
set -e
: "${PORT:?}" "${BACKEND:?}" "${TMP_DIR:?}"
cat >"$TMP_DIR/haproxy-$PORT.cfg" <<CONF
global
  nbthread 1
  maxconn 9000
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout http-request 60s
frontend front
  bind ${HOST:-127.0.0.1}:$PORT backlog 4096
  default_backend back
backend back
  http-reuse always
  server one $BACKEND maxconn 200
CONF
exec haproxy -db -f "$TMP_DIR/haproxy-$PORT.cfg"
