/** The servlets of the examples web application; each shows one thing. They know nothing of Millrace. */
@NullMarked
package io.millrace.examples;

import org.jspecify.annotations.NullMarked;
