/** Tests of the embedding API, over a transport without a network. */
@NullMarked
package io.millrace;

import org.jspecify.annotations.NullMarked;
