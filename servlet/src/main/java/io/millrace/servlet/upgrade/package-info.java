/** The SPI for protocol upgrades of an application's requests, which the WebSocket module implements. */
@NullMarked
package io.millrace.servlet.upgrade;

import org.jspecify.annotations.NullMarked;
