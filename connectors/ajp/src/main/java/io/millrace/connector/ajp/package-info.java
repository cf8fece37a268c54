/** The server's side of AJP 1.3: requests that Apache httpd or IIS relay as packets. */
@NullMarked
package io.millrace.connector.ajp;

import org.jspecify.annotations.NullMarked;
