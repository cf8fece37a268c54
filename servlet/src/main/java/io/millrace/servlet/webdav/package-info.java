/** WebDAV (RFC 4918, classes 1 and 2) for an application's files. */
@NullMarked
package io.millrace.servlet.webdav;

import org.jspecify.annotations.NullMarked;
