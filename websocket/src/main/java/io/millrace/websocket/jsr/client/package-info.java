/** The client container of JSR 356. */
@NullMarked
package io.millrace.websocket.jsr.client;

import org.jspecify.annotations.NullMarked;
