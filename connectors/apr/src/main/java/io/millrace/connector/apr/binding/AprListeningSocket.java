package io.millrace.connector.apr.binding;

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

/** A socket that others connect to. For one thread, once it is bound. */
public final class AprListeningSocket {

    private static final int STREAM = 1;
    private static final int TCP = 6;
    private static final Path IPV6_INTERFACES = Path.of("/proc/net/if_inet6");

    private final AprSocket socket;
    private final InetSocketAddress address;

    /** The next connection's pool, in which nothing is yet; 0 if it has to be made. */
    private long spare;

    private AprListeningSocket(AprSocket socket) throws IOException {
        this.socket = socket;
        this.address = socket.local();
    }

    /**
     * Binds and listens. The wildcard is that of IPv6, which takes IPv4 as well, where there is IPv6.
     *
     * @param receiveBuffer bytes; 0 leaves the system's default
     * @throws BindException naming the address
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
            socket.dontBlock();
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

    /** A socket that is not connected. */
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
            AprStatus.check("make a socket", SocketCalls.create(out, family, STREAM, TCP, pool));
            return out.get(JAVA_LONG, 0);
        }
    }

    private static void check(InetSocketAddress wanted, int status) throws BindException {
        if (status != AprStatus.SUCCESS) {
            throw new BindException("cannot listen on " + wanted + ": " + AprLibrary.describe(status));
        }
    }

    /** As the JDK decides it. */
    static boolean hasIpv6() {
        return !Boolean.getBoolean("java.net.preferIPv4Stack") && Files.exists(IPV6_INTERFACES);
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return address;
    }

    /** Comes before {@link #watch}. By the pollset's thread. */
    public void join(Pollset polledBy, Polled polled) {
        socket.join(polledBy, polled);
    }

    /** Whether to be told when somebody wants to connect. */
    public void watch(boolean wanted) throws IOException {
        socket.watch(wanted ? AprSocket.READABLE : 0, wanted ? 0 : AprSocket.READABLE);
    }

    /**
     * One that has connected, not blocking; null if there is none.
     *
     * @throws IOException if none can be accepted although somebody is there
     */
    public @Nullable AprSocket accept() throws IOException {
        if (spare == 0) {
            spare = Pools.create();
        }
        AprSocket accepted = socket.accept(spare);
        if (accepted == null) {
            return null;
        }
        spare = 0; // its own now
        try {
            accepted.dontBlock(); // Linux does not pass that on from the listening socket
        } catch (IOException broken) {
            accepted.close();
            throw broken;
        }
        return accepted;
    }

    /** Closes it. Whoever joined it to a pollset makes that forget it then. */
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
