/** WebDAV (RFC 4918, classes 1 and 2): an application's files as clients change them. */
@NullMarked
package io.millrace.servlet.webdav;

import org.jspecify.annotations.NullMarked;
