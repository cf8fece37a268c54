/** What the cache of files costs and brings, beside others. */
@NullMarked
package io.millrace.files;

import org.jspecify.annotations.NullMarked;
