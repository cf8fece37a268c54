/**
 * Static files: lookup, evaluation of requests (RFC 9110: validators, conditions, ranges, codings), a cache of contents, and
 * sending them.
 */
@NullMarked
package io.millrace.files;

import org.jspecify.annotations.NullMarked;
