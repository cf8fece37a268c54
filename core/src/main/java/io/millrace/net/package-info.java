/** IP addresses and address ranges in configuration syntax. Values, no I/O. */
@NullMarked
package io.millrace.net;

import org.jspecify.annotations.NullMarked;
