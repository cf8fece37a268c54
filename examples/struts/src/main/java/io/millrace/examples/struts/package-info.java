/** A guest book with Struts 2.5. It knows nothing of Millrace. */
@NullMarked
package io.millrace.examples.struts;

import org.jspecify.annotations.NullMarked;
