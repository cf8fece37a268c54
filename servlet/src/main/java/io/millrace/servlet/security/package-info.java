/** Security of web applications: constraints, authentication and single sign-on (Servlet 3.1, 13). */
@NullMarked
package io.millrace.servlet.security;

import org.jspecify.annotations.NullMarked;
