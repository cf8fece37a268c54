/** A reverse proxy, which forwards requests to other servers without occupying a thread for each. */
@NullMarked
package io.millrace.proxy;

import org.jspecify.annotations.NullMarked;
