@NullMarked
package io.millrace.junit;

import org.jspecify.annotations.NullMarked;
