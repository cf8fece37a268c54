@NullMarked
package io.millrace.compression;

import org.jspecify.annotations.NullMarked;
