package io.millrace.connector.apr.binding;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A few calls whose results are known, before anything depends on them: a library whose structures, constants or flags were
 * others would answer something else. It connects to nobody.
 */
final class SelfCheck {

    private static final int PORT = 0xABCD;

    /** No system's default. */
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
     * @param number APR's
     * @param level C's number for what the option belongs to
     * @param inC C's number
     * @param flag 0 or 1; otherwise a buffer's size
     */
    record Option(String name, int family, int number, int level, int inC, boolean flag) {}

    private SelfCheck() {}

    static void run(String version) throws IOException {
        expect(version, "an address", addressIsRead());
        expect(version, "what a pollset reports", unconnectedSocketIsReported());
        for (Option each : OPTIONS) {
            expect(version, each.name(), reachesKernel(each));
        }
        expect(
                version,
                "the end of a stream",
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
            pollset.tell(pollset.await(0));
            return (reported.get() & AprSocket.BROKEN) != 0;
        } finally {
            socket.close();
            pollset.close();
        }
    }

    /** The kernel tells another value afterwards; not always the one given, as it doubles the size of a buffer. */
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
                    "APR " + version + " does not behave as the APR it was written for (1.7): " + what + " differs");
        }
    }
}
