@NullMarked
package io.millrace.standalone.base;

import org.jspecify.annotations.NullMarked;
