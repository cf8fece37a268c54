@NullMarked
package io.millrace.files;

import org.jspecify.annotations.NullMarked;
