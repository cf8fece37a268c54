/** Cookies on the wire: reading {@code Cookie}, writing {@code Set-Cookie} (RFC 6265). */
@NullMarked
package io.millrace.servlet.cookie;

import org.jspecify.annotations.NullMarked;
