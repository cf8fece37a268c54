/** Tests of the handlers, over exchanges without a network. */
@NullMarked
package io.millrace.handler;

import org.jspecify.annotations.NullMarked;
