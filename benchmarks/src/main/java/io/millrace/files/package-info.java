/** Cost and hit rate of the file cache, compared with others. */
@NullMarked
package io.millrace.files;

import org.jspecify.annotations.NullMarked;
