@NullMarked
package io.millrace.boot;

import org.jspecify.annotations.NullMarked;
