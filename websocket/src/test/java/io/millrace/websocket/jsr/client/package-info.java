/** Tests of the client container. */
@NullMarked
package io.millrace.websocket.jsr.client;

import org.jspecify.annotations.NullMarked;
