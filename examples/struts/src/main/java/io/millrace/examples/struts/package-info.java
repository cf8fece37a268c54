/** A guest book with Struts 2.5. It does not depend on Millrace. */
@NullMarked
package io.millrace.examples.struts;

import org.jspecify.annotations.NullMarked;
