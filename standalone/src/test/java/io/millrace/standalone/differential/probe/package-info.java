/**
 * A web application that does what its requests say, statement by statement, and keeps what each statement answered. Its classes are copied
 * into the WARs that two servers are compared with.
 */
@NullMarked
package io.millrace.standalone.differential.probe;

import org.jspecify.annotations.NullMarked;
