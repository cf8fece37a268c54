/** Sessions of a web application: ids, tracking, timeouts, passivation and sharing (Servlet 3.1, 7). */
@NullMarked
package io.millrace.servlet.session;

import org.jspecify.annotations.NullMarked;
