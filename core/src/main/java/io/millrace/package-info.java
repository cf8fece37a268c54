/** The embedding API: build a server, start it, stop it. */
@NullMarked
package io.millrace;

import org.jspecify.annotations.NullMarked;
