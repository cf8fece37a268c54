package io.millrace.connector.apr.binding;

import java.io.IOException;
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

    /** The pool for the next connections, unless it is full; null if it is not created yet. */
    private @Nullable SocketPool spare;

    /** How many connections share a pool. */
    private int together = SocketPool.SOCKETS;

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
        String any = six ? "::" : "0.0.0.0";
        String literal = host.isAnyLocalAddress() ? any : host.getHostAddress();
        int family = six ? Addresses.INET6 : Addresses.INET;
        AprSocket socket = unconnected(family);
        boolean bound = false;
        try {
            if (six) {
                socket.option(AprSocket.IPV6_V6ONLY, 0);
            }
            socket.option(AprSocket.SO_REUSEADDR, reuse ? 1 : 0);
            if (receiveBuffer > 0) {
                socket.option(AprSocket.SO_RCVBUF, receiveBuffer);
            }
            check(wanted, socket.bind(literal, family, wanted.getPort()));
            check(wanted, socket.listen(backlog));
            socket.setNonBlocking();
            AprListeningSocket listening = new AprListeningSocket(socket);
            bound = true;
            return listening;
        } finally {
            if (!bound) {
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
        int family = isIpv6 ? Addresses.INET6 : Addresses.INET;
        AprSocket socket = single(pool -> pool.make(descriptor, family, STREAM, TCP));
        boolean opened = false;
        try {
            socket.setNonBlocking();
            AprListeningSocket listening = new AprListeningSocket(socket);
            opened = true;
            return listening;
        } finally {
            if (!opened) {
                socket.close();
            }
        }
    }

    /** Creates a socket that is not connected. */
    static AprSocket unconnected(int family) throws IOException {
        return single(pool -> pool.create(family, STREAM, TCP));
    }

    /** A socket in a pool of its own. */
    private static AprSocket single(Creation creation) throws IOException {
        SocketPool pool = new SocketPool(1);
        long created = 0;
        try {
            created = creation.in(pool);
        } finally {
            if (created == 0) {
                pool.retire();
            }
        }
        return AprSocket.of(pool, created);
    }

    private interface Creation {

        /** Creates a socket in this pool; returns its address. */
        long in(SocketPool pool) throws IOException;
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

    /** Gives each connection a pool of its own, so that closing one may take long ({@code SO_LINGER}). Called before the first one. */
    public void separate() {
        together = 1;
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
        SocketPool pool = spare;
        if (pool == null || pool.isFull()) {
            pool = new SocketPool(together);
            spare = pool;
        }
        AprSocket accepted = socket.accept(pool);
        if (accepted == null) {
            return null;
        }
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
        SocketPool pool = spare;
        spare = null;
        if (pool != null) {
            pool.retire();
        }
    }

    /** For {@link Pollset#forget}. */
    public AprSocket socket() {
        return socket;
    }
}
