@NullMarked
package io.millrace.standalone.operator;

import org.jspecify.annotations.NullMarked;
