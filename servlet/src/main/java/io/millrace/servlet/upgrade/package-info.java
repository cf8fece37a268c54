/** Where engines of other protocols answer requests to upgrade: that of WebSocket endpoints, say. */
@NullMarked
package io.millrace.servlet.upgrade;

import org.jspecify.annotations.NullMarked;
