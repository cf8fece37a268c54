/** Tests of the proxy's parts; as a whole it has a contract suite in testkit. */
@NullMarked
package io.millrace.proxy;

import org.jspecify.annotations.NullMarked;
