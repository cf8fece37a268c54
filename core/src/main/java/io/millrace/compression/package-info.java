/** Content codings: responses compressed on the fly, requests decompressed. */
@NullMarked
package io.millrace.compression;

import org.jspecify.annotations.NullMarked;
