/** SPDY/3.1 and SPDY/3, server and client (draft-mbelshe-httpbis-spdy-00 and its successor). */
@NullMarked
package io.millrace.connector.spdy;

import org.jspecify.annotations.NullMarked;
