#!/bin/sh
# Here for tools that look for it. Tomcat's catalina.sh reads it; the one beside it needs nothing of it: which Java runs the server is
# decided by millrace/bin/millrace, from JAVA_HOME or JRE_HOME.
