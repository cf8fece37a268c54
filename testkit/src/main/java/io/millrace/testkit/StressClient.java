package io.millrace.testkit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;

/** Connects, sends something, and disconnects in one of many ways. */
final class StressClient {

    private static final Duration PATIENCE = Duration.ofMillis(300);
    private static final int TLS_RECORD_OF_A_HANDSHAKE = 0x16;

    private final Random random;
    private final TestTls tls;

    StressClient(long seed, TestTls tls) {
        this.random = new Random(seed);
        this.tls = tls;
    }

    /** Uses one connection, which may fail. */
    void visit(InetSocketAddress address, boolean secured) {
        try (RawClient raw = RawClient.connect(address, random.nextInt(4) == 0 ? 4_096 : 0)) {
            raw.deadline(PATIENCE);
            if (!secured) {
                talk(raw, raw);
            } else if (random.nextInt(3) == 0) {
                breakHandshake(raw);
            } else {
                raw.socket().setSoTimeout((int) PATIENCE.toMillis());
                talk(raw.secured(tls).deadline(PATIENCE), raw);
            }
        } catch (IOException expected) {
            // refused, reset, timed out
        }
    }

    /** Connects and disconnects at once, with or without sending, which may fail. */
    void connectBriefly(InetSocketAddress address, boolean secured) {
        try (RawClient raw = RawClient.connect(address, 0)) {
            if (random.nextBoolean()) {
                byte[] hello = secured ? tls.clientHello() : bytes(100);
                raw.send(Arrays.copyOf(hello, 1 + random.nextInt(hello.length)));
            }
            if (random.nextInt(4) > 0) {
                raw.reset();
            }
        } catch (IOException expected) {
            // refused or reset
        }
    }

    private void talk(RawClient client, RawClient raw) throws IOException {
        switch (random.nextInt(8)) {
            case 0 -> raw.reset();
            case 1 -> client.send(bytes(10)).readSome(10);
            case 2 -> {
                client.send(bytes(10)).readSome(1);
                raw.reset();
            }
            case 3 -> {
                client.send(bytes(5_000)).finish();
                client.awaitClose();
            }
            case 4 -> {
                client.send(bytes(200_000));
                raw.reset();
            }
            case 5 -> {
                client.send(bytes(40)).readSome(100_000);
                client.send(bytes(40)).readSome(100_000);
            }
            case 6 -> client.isSilentFor(Duration.ofMillis(1 + random.nextInt(40)));
            default -> client.send(bytes(1));
        }
    }

    /** Disconnects before, in or after a first message, for which the server may have to compute. */
    private void breakHandshake(RawClient raw) throws IOException {
        byte[] hello = random.nextInt(3) == 0 ? garbage() : tls.clientHello();
        raw.send(random.nextBoolean() ? hello : Arrays.copyOf(hello, 1 + random.nextInt(hello.length)));
        if (random.nextInt(3) == 0) {
            raw.isSilentFor(Duration.ofMillis(random.nextInt(5)));
        }
        if (random.nextBoolean()) {
            raw.reset();
        }
    }

    private byte[] garbage() {
        byte[] garbage = bytes(1 + random.nextInt(400));
        garbage[0] = TLS_RECORD_OF_A_HANDSHAKE;
        return garbage;
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }
}
