#!/bin/sh
# As Tomcat's script of this name: catalina.sh start.
self=$0
while [ -h "$self" ]; do
    target=$(readlink "$self")
    case $target in
        /*) self=$target ;;
        *) self=$(dirname "$self")/$target ;;
    esac
done
exec "$(dirname "$self")/catalina.sh" start "$@"
