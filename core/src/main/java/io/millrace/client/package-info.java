/** The HTTP client: requests and responses over pooled connections. Has no threads of its own. */
@NullMarked
package io.millrace.client;

import org.jspecify.annotations.NullMarked;
