package io.millrace.connector.apr.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A listening socket. Confined to one thread once it is bound. */
public final class AprListeningSocket {

    private static final int STREAM = 1;
    private static final int TCP = 6;
    private static final Path IPV6_INTERFACES = Path.of("/proc/net/if_inet6");

    private final AprSocket socket;
    private final InetSocketAddress address;

    /** The empty pool for the next connection; 0 if it is not created yet. */
    private long spare;

    private AprListeningSocket(AprSocket socket) throws IOException {
        this.socket = socket;
        this.address = socket.local();
    }

    /**
     * Binds and listens. Where IPv6 is available, the wildcard address is that of IPv6, which accepts IPv4 as well.
     *
     * @param receiveBuffer bytes; 0 leaves the system's default
     * @throws BindException with the address in its message
     */
    public static AprListeningSocket bind(InetSocketAddress wanted, int backlog, boolean reuse, int receiveBuffer)
            throws IOException {
        InetAddress host = wanted.getAddress();
        boolean six = host.isAnyLocalAddress() ? hasIpv6() : Addresses.family(host) == Addresses.INET6;
        String literal = host.isAnyLocalAddress() ? six ? "::" : "0.0.0.0" : host.getHostAddress();
        long pool = Pools.create();
        AprSocket socket = null;
        boolean bound = false;
        try {
            int family = six ? Addresses.INET6 : Addresses.INET;
            long pointer = create(family, pool);
            socket = new AprSocket(pool, pointer);
            if (six) {
                socket.option(AprSocket.IPV6_V6ONLY, 0);
            }
            socket.option(AprSocket.SO_REUSEADDR, reuse ? 1 : 0);
            if (receiveBuffer > 0) {
                socket.option(AprSocket.SO_RCVBUF, receiveBuffer);
            }
            check(wanted, SocketCalls.bind(pointer, Addresses.make(literal, family, wanted.getPort(), pool)));
            check(wanted, SocketCalls.listen(pointer, backlog));
            socket.setNonBlocking();
            AprListeningSocket listening = new AprListeningSocket(socket);
            bound = true;
            return listening;
        } finally {
            if (socket == null) {
                Pools.destroy(pool);
            } else if (!bound) {
                socket.close();
            }
        }
    }

    /**
     * Accepts on a socket that listens, and closes it.
     *
     * @param descriptor the number of its file
     * @param isIpv6 whether its clients have addresses of IPv6
     */
    public static AprListeningSocket of(int descriptor, boolean isIpv6) throws IOException {
        long pool = Pools.create();
        AprSocket socket = null;
        boolean opened = false;
        try {
            socket = new AprSocket(pool, make(descriptor, isIpv6 ? Addresses.INET6 : Addresses.INET, pool));
            socket.setNonBlocking();
            AprListeningSocket listening = new AprListeningSocket(socket);
            opened = true;
            return listening;
        } finally {
            if (socket == null) {
                Pools.destroy(pool);
            } else if (!opened) {
                socket.close();
            }
        }
    }

    private static long make(int descriptor, int family, long pool) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            MemorySegment number = arena.allocateFrom(JAVA_INT, descriptor);
            MemorySegment info = arena.allocate(Layouts.OS_SOCK_INFO);
            info.set(JAVA_LONG, Layouts.OS_SOCK_INFO_OS_SOCK, number.address());
            info.set(JAVA_INT, Layouts.OS_SOCK_INFO_FAMILY, family);
            info.set(JAVA_INT, Layouts.OS_SOCK_INFO_TYPE, STREAM);
            info.set(JAVA_INT, Layouts.OS_SOCK_INFO_PROTOCOL, TCP);
            AprStatus.check("use an open socket", SocketCalls.make(out, info, pool));
            return out.get(JAVA_LONG, 0);
        }
    }

    /** Creates a socket that is not connected. */
    static AprSocket unconnected(int family) throws IOException {
        long pool = Pools.create();
        boolean made = false;
        try {
            AprSocket socket = new AprSocket(pool, create(family, pool));
            made = true;
            return socket;
        } finally {
            if (!made) {
                Pools.destroy(pool);
            }
        }
    }

    private static long create(int family, long pool) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            AprStatus.check("create a socket", SocketCalls.create(out, family, STREAM, TCP, pool));
            return out.get(JAVA_LONG, 0);
        }
    }

    private static void check(InetSocketAddress wanted, int status) throws BindException {
        if (status != AprStatus.SUCCESS) {
            throw new BindException("cannot listen on " + wanted + ": " + AprLibrary.describe(status));
        }
    }

    /** Decides as the JDK does. */
    static boolean hasIpv6() {
        return !Boolean.getBoolean("java.net.preferIPv4Stack") && Files.exists(IPV6_INTERFACES);
    }

    /** The address on which it listens. */
    public InetSocketAddress address() {
        return address;
    }

    /** Called before {@link #watch}, on the pollset's thread. */
    public void join(Pollset polledBy, Polled polled) {
        socket.join(polledBy, polled);
    }

    /** Sets whether the pollset reports new connections. */
    public void watch(boolean wanted) throws IOException {
        socket.watch(wanted ? AprSocket.READABLE : 0, wanted ? 0 : AprSocket.READABLE);
    }

    /**
     * Accepts a connection, which is non-blocking; null if none is pending.
     *
     * @throws IOException if a pending connection cannot be accepted
     */
    public @Nullable AprSocket accept() throws IOException {
        if (spare == 0) {
            spare = Pools.create();
        }
        AprSocket accepted = socket.accept(spare);
        if (accepted == null) {
            return null;
        }
        spare = 0; // owned by the accepted socket
        try {
            accepted.setNonBlocking(); // on Linux not inherited from the listening socket
        } catch (IOException broken) {
            accepted.close();
            throw broken;
        }
        return accepted;
    }

    /** Closes the socket. The caller then removes it from its pollset ({@link Pollset#forget}). */
    public void close() {
        socket.close();
        if (spare != 0) {
            Pools.destroy(spare);
            spare = 0;
        }
    }

    /** For {@link Pollset#forget}. */
    public AprSocket socket() {
        return socket;
    }
}
