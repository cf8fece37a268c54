/** Tests of addresses as a configuration writes them. */
@NullMarked
package io.millrace.net;

import org.jspecify.annotations.NullMarked;
