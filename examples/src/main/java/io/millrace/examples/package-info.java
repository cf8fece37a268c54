/** The servlets of the examples web application; each shows one feature. They do not depend on Millrace. */
@NullMarked
package io.millrace.examples;

import org.jspecify.annotations.NullMarked;
