/**
 * Static files: finding them, what RFC 9110 makes of a request for one (validators, conditions, ranges, codings), a cache
 * of their contents, and sending them.
 */
@NullMarked
package io.millrace.files;

import org.jspecify.annotations.NullMarked;
