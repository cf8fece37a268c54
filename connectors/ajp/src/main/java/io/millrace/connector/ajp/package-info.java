/** AJP 1.3: the server's side, for requests that Apache httpd or IIS relay as packets, and the client's, for servlet containers. */
@NullMarked
package io.millrace.connector.ajp;

import org.jspecify.annotations.NullMarked;
