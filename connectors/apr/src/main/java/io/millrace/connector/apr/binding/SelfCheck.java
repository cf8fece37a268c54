package io.millrace.connector.apr.binding;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A few calls whose results are known, before anything depends on them: a library whose structures, constants or flags were
 * others would answer something else. It connects to nobody.
 */
final class SelfCheck {

    private static final int PORT = 0xABCD;

    private SelfCheck() {}

    static void run(String version) throws IOException {
        expect(version, "an address", addressIsRead());
        expect(version, "what a pollset reports", unconnectedSocketIsReported());
        expect(
                version,
                "the end of a stream",
                Library.describe(Status.EOF).toLowerCase(Locale.ROOT).contains("end of file"));
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
        AprSocket socket = ListeningSocket.unconnected();
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

    private static void expect(String version, String what, boolean asExpected) {
        if (!asExpected) {
            throw new IllegalStateException("APR " + version + " does not behave as the APR it was written for (1.7): "
                    + what + " is different");
        }
    }
}
