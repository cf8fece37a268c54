@NullMarked
package io.millrace.rewrite;

import org.jspecify.annotations.NullMarked;
