/** Contract suites, and what to test with. */
@NullMarked
package io.millrace.testkit;

import org.jspecify.annotations.NullMarked;
