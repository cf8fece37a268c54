/** Servers for tests with JUnit 5: {@link MillraceTest} and {@link MillraceExtension}. */
@NullMarked
package io.millrace.junit;

import org.jspecify.annotations.NullMarked;
