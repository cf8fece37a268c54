/** Who may do what in a web application: constraints, authentication, identities (Servlet 3.1, 13). */
@NullMarked
package io.millrace.servlet.security;

import org.jspecify.annotations.NullMarked;
