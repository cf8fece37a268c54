/** The container of a web application's server endpoints: deployment, paths, handshake. */
@NullMarked
package io.millrace.websocket.jsr.server;

import org.jspecify.annotations.NullMarked;
