/**
 * The Apache Portable Runtime as Java objects. No address leaves this package, and none is used after what it points to
 * has ended: each native object has one owner here, who counts who is inside a call with it ({@link
 * io.millrace.io.socket.UseCount}), and destroys it when it is closed and the last has left. What comes too late gets an
 * exception.
 *
 * <p>The order of destruction: a socket leaves its pollset, is closed, and its pool goes; then its slot, which the kernel's
 * events point to, is given back on the polling thread; the pollset goes when no slot is taken; the memory of the slots
 * goes last.
 */
@NullMarked
package io.millrace.connector.apr.binding;

import org.jspecify.annotations.NullMarked;
