/** Tests of addresses in configuration syntax. */
@NullMarked
package io.millrace.net;

import org.jspecify.annotations.NullMarked;
