@NullMarked
package io.millrace.jsp;

import org.jspecify.annotations.NullMarked;
