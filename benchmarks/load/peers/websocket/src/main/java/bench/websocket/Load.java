package bench.websocket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The load generator: one thread, frames that are masked in advance, answers that are counted and thrown away.
 *
 * <pre>
 * Load echo PORT CONNECTIONS OCTETS SECONDS [text|binary]   each connection has one message under way
 * Load broadcast PORT CONNECTIONS SECONDS [deflate]        one connection asks, all get a message; then again
 * Load hold PORT CONNECTIONS [deflate]                     each connection echoes 1 KB of text, once, and stays open
 * </pre>
 *
 * Prints a line of JSON when all connections are open, and runs for each line of its input, printing a line of JSON for it.
 */
public final class Load {

    /** Handshakes under way at a time: a server's accept queue has its limit. */
    private static final int OPENING = 500;

    private static final int MOST_MICROS = 10_000_000;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(256 << 10);
    private final Selector selector = Selector.open();
    private final List<Client> clients = new ArrayList<>();
    private final int[] micros = new int[MOST_MICROS];
    private long answers;

    private Load() throws IOException {}

    public static void main(String[] args) throws Exception {
        try {
            new Load().run(args);
        } catch (IOException failed) {
            System.out.println("{\"error\": \"" + failed.toString().replaceAll("[\"\\\\\\p{Cntrl}]", " ") + "\"}");
            System.exit(1);
        }
    }

    private void run(String[] args) throws IOException {
        int port = Integer.parseInt(args[1]);
        int connections = Integer.parseInt(args[2]);
        switch (args[0]) {
            case "echo" -> {
                open(connections, port, "/ws/echo", false);
                byte[] payload = "x".repeat(Integer.parseInt(args[3])).getBytes(StandardCharsets.US_ASCII);
                ByteBuffer frame = frame(args[5].equals("text") ? 1 : 2, payload);
                while (awaitLine()) {
                    echo(frame, Integer.parseInt(args[4]));
                }
            }
            case "broadcast" -> {
                open(connections, port, "/ws/broadcast", args.length > 4);
                ByteBuffer frame = frame(1, new byte[] {'n'});
                while (awaitLine()) {
                    broadcast(frame, Integer.parseInt(args[3]));
                }
            }
            case "hold" -> {
                open(connections, port, "/ws/echo", args.length > 3);
                ByteBuffer frame = frame(1, "0123456789abcdef".repeat(64).getBytes(StandardCharsets.US_ASCII));
                while (awaitLine()) {
                    echoOnce(frame);
                }
            }
            default -> throw new IOException("unknown: " + args[0]);
        }
    }

    private void open(int connections, int port, String path, boolean deflate) throws IOException {
        long began = System.nanoTime();
        int[] opened = {0};
        while (opened[0] < connections) {
            while (clients.size() < connections && clients.size() - opened[0] < OPENING) {
                clients.add(new Client(selector, clients.size(), port, path, deflate));
            }
            select(client -> opened[0] += client.ready(buffer) < 0 ? 1 : 0);
        }
        System.out.printf("{\"open\": %d, \"secs\": %.3f}%n", opened[0], (System.nanoTime() - began) / 1e9);
    }

    private static boolean awaitLine() throws IOException {
        return System.in.read() >= 0;
    }

    private void echo(ByteBuffer frame, int seconds) throws IOException {
        long began = System.nanoTime();
        long end = began + seconds * 1_000_000_000L;
        int[] underWay = {clients.size()};
        for (Client client : clients) {
            client.send(frame);
        }
        while (underWay[0] > 0) {
            select(client -> {
                if (client.ready(buffer) > 0) {
                    long now = answered(client.sentAt);
                    if (now < end) {
                        client.send(frame);
                    } else {
                        underWay[0]--;
                    }
                }
            });
        }
        report(began);
    }

    private void broadcast(ByteBuffer frame, int seconds) throws IOException {
        long began = System.nanoTime();
        long end = began + seconds * 1_000_000_000L;
        long now;
        do {
            int[] missing = {clients.size()};
            Client sender = clients.get(0);
            sender.send(frame);
            while (missing[0] > 0) {
                select(client -> missing[0] -= client.ready(buffer));
            }
            now = answered(sender.sentAt);
            answers += clients.size() - 1;
        } while (now < end);
        report(began);
    }

    private void echoOnce(ByteBuffer frame) throws IOException {
        long began = System.nanoTime();
        int sent = 0;
        int[] answered = {0};
        while (answered[0] < clients.size()) {
            while (sent < clients.size() && sent - answered[0] < OPENING) {
                clients.get(sent++).send(frame);
            }
            select(client -> answered[0] += client.ready(buffer) > 0 ? 1 : 0);
        }
        answers = answered[0];
        report(began);
    }

    private long answered(long sentAt) {
        long now = System.nanoTime();
        micros[(int) Math.min(MOST_MICROS - 1, (now - sentAt) / 1_000)]++;
        answers++;
        return now;
    }

    private void report(long began) {
        System.out.printf(
                "{\"requests\": %d, \"secs\": %.3f, \"p50\": %.3f, \"p99\": %.3f}%n",
                answers, (System.nanoTime() - began) / 1e9, percentile(0.5), percentile(0.99));
        answers = 0;
        Arrays.fill(micros, 0);
    }

    /** In milliseconds. */
    private double percentile(double share) {
        long total = 0;
        for (int count : micros) {
            total += count;
        }
        long seen = 0;
        int at = 0;
        while (at < MOST_MICROS - 1 && (seen += micros[at]) < total * share) {
            at++;
        }
        return at / 1e3;
    }

    private void select(Action action) throws IOException {
        selector.select(10_000);
        if (selector.selectedKeys().isEmpty()) {
            throw new IOException("the server was silent for ten seconds");
        }
        for (SelectionKey key : selector.selectedKeys()) {
            action.on((Client) key.attachment());
        }
        selector.selectedKeys().clear();
    }

    private interface Action {
        void on(Client client) throws IOException;
    }

    private static ByteBuffer frame(int opcode, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocateDirect(payload.length + 14);
        frame.put((byte) (0x80 | opcode));
        if (payload.length < 126) {
            frame.put((byte) (0x80 | payload.length));
        } else if (payload.length < 65_536) {
            frame.put((byte) (0x80 | 126)).putShort((short) payload.length);
        } else {
            frame.put((byte) (0x80 | 127)).putLong(payload.length);
        }
        byte[] mask = {0x12, 0x34, 0x56, 0x78};
        frame.put(mask);
        for (int i = 0; i < payload.length; i++) {
            frame.put((byte) (payload[i] ^ mask[i & 3]));
        }
        return frame.flip();
    }
}
