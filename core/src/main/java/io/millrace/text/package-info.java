@NullMarked
package io.millrace.text;

import org.jspecify.annotations.NullMarked;
