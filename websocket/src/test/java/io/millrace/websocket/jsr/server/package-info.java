/** Tests of server endpoints. */
@NullMarked
package io.millrace.websocket.jsr.server;

import org.jspecify.annotations.NullMarked;
