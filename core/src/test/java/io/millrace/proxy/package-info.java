/** Unit tests of the proxy; its contract suite is in testkit. */
@NullMarked
package io.millrace.proxy;

import org.jspecify.annotations.NullMarked;
