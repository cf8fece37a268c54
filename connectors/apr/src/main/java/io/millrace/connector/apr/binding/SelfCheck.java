package io.millrace.connector.apr.binding;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A few calls with known results, made before the library is used: one with other structures, constants or flags would
 * return other results. No connection is made.
 */
final class SelfCheck {

    private static final int PORT = 0xABCD;

    /** Not the default of any system. */
    private static final int BUFFER_SIZE = 20_000;

    private static final int SOL_SOCKET = 1;
    private static final int IPPROTO_TCP = 6;
    private static final int IPPROTO_IPV6 = 41;

    static final List<Option> OPTIONS = List.of(
            new Option("SO_KEEPALIVE", Addresses.INET, AprSocket.SO_KEEPALIVE, SOL_SOCKET, 9, true),
            new Option("SO_REUSEADDR", Addresses.INET, AprSocket.SO_REUSEADDR, SOL_SOCKET, 2, true),
            new Option("SO_SNDBUF", Addresses.INET, AprSocket.SO_SNDBUF, SOL_SOCKET, 7, false),
            new Option("SO_RCVBUF", Addresses.INET, AprSocket.SO_RCVBUF, SOL_SOCKET, 8, false),
            new Option("TCP_NODELAY", Addresses.INET, AprSocket.TCP_NODELAY, IPPROTO_TCP, 1, true),
            new Option("IPV6_V6ONLY", Addresses.INET6, AprSocket.IPV6_V6ONLY, IPPROTO_IPV6, 26, true));

    /**
     * An option of sockets.
     *
     * @param number APR's number
     * @param level the C library's number of its level
     * @param inC the C library's number
     * @param flag true if the value is 0 or 1, false if it is the size of a buffer
     */
    record Option(String name, int family, int number, int level, int inC, boolean flag) {}

    private SelfCheck() {}

    static void run(String version) throws IOException {
        expect(version, "an address", addressIsRead());
        expect(version, "a pollset's report", unconnectedSocketIsReported());
        for (Option each : OPTIONS) {
            expect(version, each.name(), reachesKernel(each));
        }
        expect(
                version,
                "the status of the end of input",
                AprLibrary.describe(AprStatus.EOF).toLowerCase(Locale.ROOT).contains("end of file"));
    }

    private static boolean addressIsRead() throws IOException {
        long pool = Pools.create();
        try (Arena arena = Arena.ofConfined()) {
            long address = Addresses.make("127.1.2.3", Addresses.INET, PORT, pool);
            return Addresses.familyOf(address) == Addresses.INET
                    && Addresses.read(address, arena)
                            .equals(new InetSocketAddress(InetAddress.ofLiteral("127.1.2.3"), PORT));
        } finally {
            Pools.destroy(pool);
        }
    }

    /** The kernel reports a hang-up of a socket that was never connected. */
    private static boolean unconnectedSocketIsReported() throws IOException {
        AtomicInteger reported = new AtomicInteger();
        Pollset pollset = new Pollset(2);
        AprSocket socket = AprListeningSocket.unconnected(Addresses.INET);
        socket.join(pollset, new Polled() {
            @Override
            public void ready(int events) {
                reported.set(events);
            }

            @Override
            public void gone() {
                pollset.forget(socket);
            }
        });
        try {
            socket.watch(AprSocket.READABLE, 0);
            pollset.dispatch(pollset.await(0));
            return (reported.get() & AprSocket.BROKEN) != 0;
        } finally {
            socket.close();
            pollset.close();
        }
    }

    /** Whether the kernel's value changes; not always to the one that is set, because it doubles the size of a buffer. */
    static boolean reachesKernel(Option option) throws IOException {
        if (option.family == Addresses.INET6 && !AprListeningSocket.hasIpv6()) {
            return true;
        }
        AprSocket socket = AprListeningSocket.unconnected(option.family);
        try {
            int before = socket.kernelOption(option.level, option.inC);
            socket.option(option.number, option.flag ? 1 - before : BUFFER_SIZE);
            return socket.kernelOption(option.level, option.inC) != before;
        } finally {
            socket.close();
        }
    }

    private static void expect(String version, String what, boolean asExpected) {
        if (!asExpected) {
            throw new IllegalStateException(
                    "APR " + version + " differs from the version that Millrace supports (1.7) in " + what);
        }
    }
}
