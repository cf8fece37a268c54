/** One request and its response, and who may run it. */
@NullMarked
package io.millrace.exchange;

import org.jspecify.annotations.NullMarked;
