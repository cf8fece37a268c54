/** Exchanges: a request and its response, and the thread that owns them. */
@NullMarked
package io.millrace.exchange;

import org.jspecify.annotations.NullMarked;
