/** The factory of {@code java:} names, in the package in which the JDK looks for it. Applications can load its classes. */
@NullMarked
package io.millrace.servlet.naming.java;

import org.jspecify.annotations.NullMarked;
