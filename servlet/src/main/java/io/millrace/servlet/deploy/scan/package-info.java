/** An application's classes and jars: what they are, what annotations say, and an index of them that is kept. */
@NullMarked
package io.millrace.servlet.deploy.scan;

import org.jspecify.annotations.NullMarked;
