/** Nothing but tests: of the starter in applications that use other parts of Spring. */
@NullMarked
package io.millrace.boot.beside;

import org.jspecify.annotations.NullMarked;
