/** Classes with the names of Tomcat's WebSocket implementation, by which frameworks detect a server's WebSocket support. */
@NullMarked
package org.apache.tomcat.websocket.server;

import org.jspecify.annotations.NullMarked;
