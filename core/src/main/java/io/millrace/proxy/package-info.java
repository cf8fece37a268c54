/** A reverse proxy: requests are answered by other servers, without a thread for any of them. */
@NullMarked
package io.millrace.proxy;

import org.jspecify.annotations.NullMarked;
