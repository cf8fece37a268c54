package io.millrace.connector.apr.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The APR pool of one socket, or of several that were accepted one after the other. APR takes memory from the system in blocks of 8 KiB,
 * of which a socket needs about 600 bytes: a pool for each would make an idle connection cost a block. The pool is destroyed when the
 * last of its sockets is closed. Where one of a dozen connections stays for long, that one has a block to itself, and no more.
 *
 * <p><b>Threads.</b> Thread-safe: a pool may be used by one thread at a time, and its sockets are closed by any thread.
 */
final class SocketPool {

    /** What fits into a block, with a reserve for other versions of APR. */
    static final int SOCKETS = 12;

    private final long pool = Pools.create();

    // guarded by this
    private int left;
    private int open;

    /** @param sockets how many it is for */
    SocketPool(int sockets) throws IOException {
        left = sockets;
    }

    /** For what a socket needs beside itself, as long as it is open; only for a pool of one socket. */
    long address() {
        return pool;
    }

    /** Whether it has taken as many sockets as it is for. */
    synchronized boolean isFull() {
        return left == 0;
    }

    /** Creates a socket that is not connected; returns its address. */
    synchronized long create(int family, int type, int protocol) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            AprStatus.check("create a socket", SocketCalls.create(out, family, type, protocol, pool));
            return taken(out);
        }
    }

    /**
     * Makes a socket of an open one; returns its address.
     *
     * @param descriptor the number of its file
     */
    synchronized long make(int descriptor, int family, int type, int protocol) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            MemorySegment number = arena.allocateFrom(JAVA_INT, descriptor);
            MemorySegment info = arena.allocate(Layouts.OS_SOCK_INFO);
            info.set(JAVA_LONG, Layouts.OS_SOCK_INFO_OS_SOCK, number.address());
            info.set(JAVA_INT, Layouts.OS_SOCK_INFO_FAMILY, family);
            info.set(JAVA_INT, Layouts.OS_SOCK_INFO_TYPE, type);
            info.set(JAVA_INT, Layouts.OS_SOCK_INFO_PROTOCOL, protocol);
            AprStatus.check("use an open socket", SocketCalls.make(out, info, pool));
            return taken(out);
        }
    }

    /** Accepts a connection of a listening socket; 0 if none is pending. */
    synchronized long accept(long listening) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            int status = SocketCalls.accept(out, listening, pool);
            if (status == AprStatus.EAGAIN) {
                return 0;
            }
            AprStatus.check("accept", status);
            return taken(out);
        }
    }

    private long taken(MemorySegment out) {
        left--;
        open++;
        return out.get(JAVA_LONG, 0);
    }

    /** Closes one of its sockets. */
    synchronized void close(long socket) {
        SocketCalls.close(socket);
        open--;
        destroyIfUnused();
    }

    /** Takes no more sockets. */
    synchronized void retire() {
        if (left > 0) {
            left = 0;
            destroyIfUnused();
        }
    }

    /** Called whenever one of the two becomes 0, which happens once for the last of them. */
    private void destroyIfUnused() {
        if (left == 0 && open == 0) {
            Pools.destroy(pool);
        }
    }
}
