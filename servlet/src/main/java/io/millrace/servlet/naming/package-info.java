/** JNDI: the names below {@code java:comp/env} of each application. */
@NullMarked
package io.millrace.servlet.naming;

import org.jspecify.annotations.NullMarked;
