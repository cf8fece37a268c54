package io.millrace.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Attacks a server on many connections by one thread, at little cost: what each connection sends is made in advance and sent piece by
 * piece, once a tick. A connection that the server ends is opened again a tick later. Needs nothing but the JDK, so that benchmarks can
 * start this file by itself; the command line is described at {@link #main}.
 *
 * <p><b>Threads.</b> The counters and {@link #close} may be used by any thread.
 */
public final class HostileClient implements AutoCloseable {

    /** SO_RCVBUF of slow readers, in bytes. */
    private static final int TINY = 2048;

    /**
     * How many attack, and how fast.
     *
     * @param addresses from how many addresses they come: 127.0.0.2 and the following, where the system has these
     * @param haste how many times as fast as the kind's description says
     */
    public record Force(int connections, int addresses, int haste) {}

    private final HostileKind kind;
    private final Force force;
    private final HostileKind.Targets targets;
    private final InetSocketAddress address;
    private final Selector selector;
    private final List<Peer> peers = new ArrayList<>();
    private final ByteBuffer input = ByteBuffer.allocateDirect(64 * 1024);
    private final AtomicLong opened = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicLong begun = new AtomicLong();
    private final Thread thread;
    private volatile boolean closed;

    /** Begins to attack a port of the loopback address. */
    public HostileClient(HostileKind kind, Force force, int port, HostileKind.Targets targets) throws IOException {
        this.kind = kind;
        this.force = force;
        this.targets = targets;
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        selector = Selector.open();
        for (int i = 0; i < force.connections; i++) {
            peers.add(new Peer(i));
        }
        thread = new Thread(this::run, "hostile-" + kind);
        thread.setDaemon(true);
        thread.start();
    }

    /** How many connections were opened. */
    public long opened() {
        return opened.get();
    }

    /** How many the server ended. */
    public long ended() {
        return ended.get();
    }

    /** How many of its connections have sent what they send first, once at least. */
    public long begun() {
        return begun.get();
    }

    /** Resets all connections, and waits until that is done. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try (selector) {
            while (!closed) {
                long now = System.nanoTime();
                long next = now + 1_000_000_000L;
                for (Peer peer : peers) {
                    if (peer.due <= now) {
                        peer.turn(now);
                    }
                    next = Math.min(next, peer.due);
                }
                selector.select(
                        key -> ((Peer) key.attachment()).onReady(key),
                        Math.max(1, (next - System.nanoTime()) / 1_000_000));
            }
            peers.forEach(Peer::reset);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** One connection after the other. */
    private final class Peer {

        private final InetSocketAddress from;
        private final HostileScript[] scripts;
        private int turns;
        private long due;
        private SocketChannel channel;
        private HostileScript script;
        private ByteBuffer output = ByteBuffer.allocate(0);
        private boolean everBegun;

        /** The first connections are spread over a fifth of a second. */
        Peer(int index) throws IOException {
            channel = SocketChannel.open();
            channel.close();
            from = new InetSocketAddress("127.0.0." + (2 + index % force.addresses), 0);
            scripts = HostileScript.of(kind, targets);
            script = scripts[0];
            turns = index;
            due = System.nanoTime() + index % 40 * 5_000_000L;
        }

        void turn(long now) {
            due = now + kind.tickNanos / force.haste;
            try {
                if (!channel.isOpen()) {
                    open();
                } else if (channel.isConnected() && !output.hasRemaining()) {
                    if (kind.reading == HostileKind.Reading.SLOWLY && !drip()) {
                        lost();
                        return;
                    }
                    if (script.resets()) {
                        reset();
                        open();
                    } else {
                        send(script.next());
                    }
                }
            } catch (IOException broken) {
                lost();
            }
        }

        private void open() throws IOException {
            channel = SocketChannel.open();
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            if (kind.reading == HostileKind.Reading.SLOWLY) {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, TINY);
            }
            script = scripts[turns++ % scripts.length];
            try {
                channel.bind(from);
            } catch (BindException unknown) {
                // from the address of all others, then
            }
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT, this);
            if (channel.connect(address)) {
                connected(key);
            }
        }

        private void connected(SelectionKey key) throws IOException {
            opened.incrementAndGet();
            key.interestOps(interest());
            send(script.first());
            if (!everBegun) {
                everBegun = true;
                begun.incrementAndGet();
            }
        }

        private int interest() {
            return kind.reading == HostileKind.Reading.ALL ? SelectionKey.OP_READ : 0;
        }

        private void send(byte[] bytes) throws IOException {
            output = ByteBuffer.wrap(bytes);
            flush();
        }

        private void flush() throws IOException {
            channel.write(output);
            SelectionKey key = channel.keyFor(selector);
            key.interestOps(interest() | (output.hasRemaining() ? SelectionKey.OP_WRITE : 0));
        }

        void onReady(SelectionKey key) {
            try {
                if (key.isConnectable()) {
                    channel.finishConnect();
                    connected(key);
                }
                if (key.isWritable()) {
                    flush();
                }
                if (key.isReadable()) {
                    input.clear();
                    if (channel.read(input) < 0 || !script.onInput(input.flip())) {
                        lost();
                    }
                }
            } catch (IOException broken) {
                lost();
            }
        }

        /** Reads a byte; false at the end. */
        private boolean drip() throws IOException {
            return channel.read(input.clear().limit(1)) >= 0;
        }

        /** The server has ended it, or does not accept. */
        private void lost() {
            ended.incrementAndGet();
            reset();
        }

        void reset() {
            output = ByteBuffer.allocate(0);
            try {
                channel.close();
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
        }
    }

    /**
     * Reads commands from the standard input, and answers each with a line: {@code attack KIND CONNECTIONS ADDRESSES PORT BIG FILE UPLOAD
     * SMALL},
     * answered when all connections have begun, or two seconds later, and {@code stop}. The answers are JSON.
     */
    public static void main(String[] arguments) throws Exception {
        HostileClient running = null;
        long began = 0;
        long cpu = 0;
        Scanner commands = new Scanner(System.in, StandardCharsets.UTF_8);
        while (commands.hasNextLine()) {
            String[] words = commands.nextLine().trim().split(" ", -1);
            if (running == null && words[0].equals("attack")) {
                HostileKind kind = List.of(HostileKind.values()).stream()
                        .filter(each -> each.toString().equals(words[1]))
                        .findFirst()
                        .orElseThrow();
                cpu = cpu();
                began = System.nanoTime();
                int connections = Integer.parseInt(words[2]);
                running = new HostileClient(
                        kind,
                        new Force(connections, Integer.parseInt(words[3]), 1),
                        Integer.parseInt(words[4]),
                        new HostileKind.Targets(words[5], words[6], words[7], words[8]));
                while (running.begun() < connections && System.nanoTime() - began < 2_000_000_000L) {
                    Thread.sleep(10);
                }
            } else if (running != null && words[0].equals("stop")) {
                running.close();
            }
            System.out.printf(
                    "{\"begun\": %d, \"opened\": %d, \"ended\": %d, \"cpu\": %.3f, \"seconds\": %.3f}%n",
                    running == null ? 0 : running.begun(),
                    running == null ? 0 : running.opened(),
                    running == null ? 0 : running.ended(),
                    (cpu() - cpu) / 1e9,
                    (System.nanoTime() - began) / 1e9);
            if (words[0].equals("stop")) {
                running = null;
            }
        }
        if (running != null) {
            running.close();
        }
    }

    private static long cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
    }
}
