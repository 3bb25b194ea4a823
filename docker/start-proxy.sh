#!/bin/sh
# Starts nginx with docker/nginx.conf. PORT is that of the apis, and LISTEN the directives for port and certificate.
set -eu
tmp=${TMPDIR:-/tmp}
sed -e "s|@TMP@|$tmp|" -e "s|@PORT@|$PORT|" -e "s|@LISTEN@|$LISTEN|" -e "s|@RESOLVER@|${RESOLVER:-127.0.0.11}|" \
  -e "s|@HEALTH_PORT@|${HEALTH_PORT:-2020}|" docker/nginx.conf > "$tmp/nginx.conf"
exec nginx -c "$tmp/nginx.conf" -e stderr
