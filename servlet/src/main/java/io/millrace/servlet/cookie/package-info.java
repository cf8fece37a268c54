/** Cookies (RFC 6265): parsing {@code Cookie} fields, formatting {@code Set-Cookie} fields. */
@NullMarked
package io.millrace.servlet.cookie;

import org.jspecify.annotations.NullMarked;
