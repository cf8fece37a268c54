/** Shared by the clients of protocols that serve one request at a time on a connection: HTTP/1.1 and AJP. */
@NullMarked
package io.millrace.client.serial;

import org.jspecify.annotations.NullMarked;
