/** The internals of a server: listening addresses, gates of applications, and transport providers. */
@NullMarked
package io.millrace.server;

import org.jspecify.annotations.NullMarked;
