/** Tests with real Maven processes. */
@NullMarked
package io.millrace.maven;

import org.jspecify.annotations.NullMarked;
