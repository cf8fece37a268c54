/** Names of Tomcat's under which frameworks look for a server's WebSocket implementation; what they name is our own. */
@NullMarked
package org.apache.tomcat.websocket.server;

import org.jspecify.annotations.NullMarked;
