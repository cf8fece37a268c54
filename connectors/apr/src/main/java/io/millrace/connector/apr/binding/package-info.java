/**
 * The Apache Portable Runtime as Java objects. No address leaves this package, and none is used after the object it points to
 * has been destroyed: each native object has one owner here, which counts the calls in progress ({@link
 * io.millrace.io.socket.UseCount}), and destroys the object when it is closed and the last call has ended. Later calls throw
 * an exception.
 *
 * <p>The order of destruction: a socket leaves its pollset and is closed, and its pool is destroyed; then its slot, which the
 * kernel's events point to, is released on the polling thread; the pollset is destroyed when all slots are free; the memory
 * of the slots is freed last.
 */
@NullMarked
package io.millrace.connector.apr.binding;

import org.jspecify.annotations.NullMarked;
