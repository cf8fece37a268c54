/** Where the JDK looks for whoever answers names that begin with {@code java:}. Applications see this package. */
@NullMarked
package io.millrace.servlet.naming.java;

import org.jspecify.annotations.NullMarked;
