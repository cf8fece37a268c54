/** The names below {@code java:comp/env} of each application, and how the JDK's naming finds them. */
@NullMarked
package io.millrace.servlet.naming;

import org.jspecify.annotations.NullMarked;
