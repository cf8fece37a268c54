/** A web application that says what it sees; its classes are copied into one. */
@NullMarked
package io.millrace.standalone.probe;

import org.jspecify.annotations.NullMarked;
