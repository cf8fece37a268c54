/** Contract suites, and tools for tests. */
@NullMarked
package io.millrace.testkit;

import org.jspecify.annotations.NullMarked;
