package io.millrace.standalone.shootout;

import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.TlsEngine;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Clients of a server, each on a connection of its own: it sends a request, reads the response to its end, and sends the next one.
 * They are served by a few threads that never block, so that they cost little beside what is measured. What they see counts between
 * {@link #begin} and {@link #end}.
 */
final class LoadGenerator implements AutoCloseable {

    /**
     * What is asked for.
     *
     * @param tls null for none
     */
    record Target(
            InetSocketAddress address,
            String path,
            @Nullable TlsClientEngines tls) {}

    /**
     * What the clients saw while it counted.
     *
     * @param responses also parts of a response, by its bytes, so that long ones count evenly
     * @param bytes of bodies
     * @param failures responses with a status of 400 and above, and broken connections
     * @param failure the first of them; null if there is none
     */
    record Seen(
            double responses,
            long bytes,
            Latencies latencies,
            long failures,
            @Nullable String failure) {}

    private static final int BUFFER = 256 * 1024;

    /** Of one client, before others have their turn. */
    private static final int READS = 4;

    /** As many connections in a row that break before a response: then nobody serves them. */
    private static final int HOPELESS = 50;

    private static final int MAX_THREADS = 4;

    /** Of TLS (RFC 8446, 5.1): type, version, length. */
    private static final int RECORD_HEAD = 5;

    private final Target target;
    private final byte[] request;
    private final List<Worker> workers = new ArrayList<>();
    private final CountDownLatch unanswered;

    private volatile boolean counts;
    private volatile boolean stopped;

    private LoadGenerator(Target target, int clients) {
        this.target = target;
        this.unanswered = new CountDownLatch(clients);
        this.request = ("GET " + target.path + " HTTP/1.1\r\nHost: localhost:" + target.address.getPort()
                        + "\r\nUser-Agent: millrace-shootout\r\nAccept: */*\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Connects the clients; nothing counts yet. */
    static LoadGenerator start(Target target, int clients) throws IOException {
        LoadGenerator load = new LoadGenerator(target, clients);
        int processors = Runtime.getRuntime().availableProcessors();
        int threads = Math.min(clients, Math.max(1, Math.min(MAX_THREADS, processors / 2)));
        try {
            for (int i = 0; i < threads; i++) {
                load.workers.add(load.new Worker(clients / threads + (i < clients % threads ? 1 : 0)));
            }
        } catch (IOException e) {
            load.close();
            throw e;
        }
        load.workers.forEach(Thread::start);
        return load;
    }

    /**
     * Waits until each client has had a response.
     *
     * @throws IOException if one has none in time; says what failed
     */
    void awaitAnswers(Duration longest) throws IOException, InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        while (!unanswered.await(10, TimeUnit.MILLISECONDS)) {
            String failure = failure();
            if (workers.stream().noneMatch(Thread::isAlive) || System.nanoTime() > end) {
                throw new IOException(target.path + " at port " + target.address.getPort() + ": "
                        + (failure == null ? "no answer in " + longest.toSeconds() + " s" : failure));
            }
        }
    }

    void begin() {
        counts = true;
    }

    void end() {
        counts = false;
    }

    /** Closes all connections, and returns what counted. */
    Seen stop() throws InterruptedException {
        close();
        for (Worker worker : workers) {
            worker.join();
        }
        Latencies latencies = new Latencies();
        long bytes = 0;
        long failures = 0;
        long complete = 0;
        long completeBytes = 0;
        for (Worker worker : workers) {
            latencies.add(worker.latencies);
            bytes += worker.bytes;
            failures += worker.failures;
            complete += worker.complete;
            completeBytes += worker.completeBytes;
        }
        boolean byBytes = completeBytes > 0 && bytes > 0;
        double responses = byBytes ? bytes / ((double) completeBytes / complete) : latencies.total();
        return new Seen(responses, bytes, latencies, failures, failure());
    }

    private @Nullable String failure() {
        return workers.stream()
                .map(worker -> worker.failure)
                .filter(each -> each != null)
                .findFirst()
                .orElse(null);
    }

    /** Lets the threads end soon. */
    @Override
    public void close() {
        stopped = true;
        workers.forEach(worker -> worker.selector.wakeup());
    }

    /** A thread and its clients. */
    private final class Worker extends Thread {

        private final Selector selector = Selector.open();
        private final int clients;
        private final ByteBuffer plain = ByteBuffer.allocateDirect(BUFFER);
        private final ByteBuffer cipher = ByteBuffer.allocateDirect(TlsEngine.MAX_OUTPUT);
        private final Latencies latencies = new Latencies();

        private long bytes;
        private long complete;
        private long completeBytes;
        private long failures;
        private int inARow;
        private volatile @Nullable String failure;

        Worker(int clients) throws IOException {
            super("shootout-load");
            this.clients = clients;
            setDaemon(true);
        }

        @Override
        public void run() {
            try (selector) {
                for (int i = 0; i < clients && !stopped; i++) {
                    new Client(this).open();
                    if (i % 16 == 0) {
                        selector.selectNow(this::ready);
                    }
                }
                while (!stopped && inARow < HOPELESS) {
                    selector.select(this::ready, 1000);
                }
                selector.keys().forEach(key -> ((Client) key.attachment()).close());
            } catch (Throwable e) {
                failed(e.toString());
            }
        }

        private void ready(SelectionKey key) {
            Client client = (Client) key.attachment();
            try {
                if (key.isConnectable()) {
                    client.connected();
                } else {
                    client.readable();
                }
            } catch (IOException e) {
                failed(e.getMessage() == null ? e.toString() : e.getMessage());
                inARow++;
                reopen(client);
            }
        }

        void reopen(Client client) {
            client.close();
            if (stopped || inARow >= HOPELESS) {
                return;
            }
            try {
                client.open();
            } catch (IOException e) {
                failed("cannot connect: " + e.getMessage());
                inARow = HOPELESS;
            }
        }

        void failed(String why) {
            if (stopped) {
                return;
            }
            failures++;
            if (failure == null) {
                failure = why;
            }
        }
    }

    /** A connection, and the next one when that ends. */
    private final class Client {

        private final Worker worker;
        private final ByteBuffer[] output = {ByteBuffer.wrap(request)};
        private final @Nullable ByteBuffer input;

        private @Nullable SocketChannel channel;
        private @Nullable TlsEngine engine;
        private ResponseReader response = new ResponseReader();
        private long sentAt;

        /** How many connections it has closed: what was begun on one does not go on on the next. */
        private int closed;

        private long bodyBefore;
        private boolean isAnswered;

        Client(Worker worker) {
            this.worker = worker;
            this.input = target.tls == null ? null : ByteBuffer.allocateDirect(2 * TlsEngine.MAX_OUTPUT);
        }

        private SocketChannel channel() {
            return Objects.requireNonNull(channel, "an open connection");
        }

        void open() throws IOException {
            SocketChannel opened = SocketChannel.open();
            channel = opened;
            opened.configureBlocking(false);
            opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
            response = new ResponseReader();
            SelectionKey key = opened.register(worker.selector, SelectionKey.OP_CONNECT, this);
            if (opened.connect(target.address)) {
                key.interestOps(SelectionKey.OP_READ);
                start();
            }
        }

        void connected() throws IOException {
            SocketChannel open = channel();
            open.finishConnect();
            open.keyFor(worker.selector).interestOps(SelectionKey.OP_READ);
            start();
        }

        private void start() throws IOException {
            TlsClientEngines tls = target.tls;
            if (tls == null) {
                send();
                return;
            }
            TlsEngine created = tls.create("localhost", target.address.getPort());
            engine = created;
            if (input != null) {
                input.clear();
            }
            output[0].position(output[0].limit());
            negotiate(created);
        }

        private void send() throws IOException {
            ByteBuffer sent = output[0];
            sent.rewind();
            bodyBefore = response.body();
            sentAt = System.nanoTime();
            TlsEngine tls = engine;
            if (tls == null) {
                write(sent);
            } else {
                wrap(tls);
            }
        }

        /** A request is far smaller than the socket's buffer, which is empty when it is sent. */
        private void write(ByteBuffer bytes) throws IOException {
            SocketChannel open = channel();
            while (bytes.hasRemaining()) {
                if (open.write(bytes) == 0) {
                    Thread.onSpinWait();
                }
            }
        }

        private void wrap(TlsEngine tls) throws IOException {
            while (output[0].hasRemaining() || tls.hasOutput()) {
                worker.cipher.clear();
                TlsEngine.Status status = tls.wrap(output, worker.cipher);
                worker.cipher.flip();
                boolean isEmpty = !worker.cipher.hasRemaining();
                write(worker.cipher);
                if (status == TlsEngine.Status.CLOSED) {
                    throw new EOFException("the server closed the connection");
                }
                if (isEmpty && status != TlsEngine.Status.PROGRESS) {
                    return;
                }
            }
        }

        /** Sends what the handshake has to send, and runs what it has to compute. */
        private void negotiate(TlsEngine tls) throws IOException {
            for (Runnable task = tls.takeTask(); task != null; task = tls.takeTask()) {
                task.run();
                ByteBuffer none = ByteBuffer.allocate(0);
                tls.unwrap(none, none.duplicate());
            }
            wrap(tls);
        }

        void readable() throws IOException {
            for (int i = 0; i < READS; i++) {
                int generation = closed;
                SocketChannel open = channel();
                boolean isMore = engine == null ? readPlain(open) : readCipher(open, engine);
                if (!isMore || closed != generation) {
                    return;
                }
            }
        }

        /** Returns whether there may be more to read. */
        private boolean readPlain(SocketChannel open) throws IOException {
            ByteBuffer into = worker.plain;
            into.clear();
            int length = open.read(into);
            if (length < 0) {
                ended();
                return false;
            }
            into.flip();
            boolean isFull = length == into.capacity();
            consume(into);
            return isFull;
        }

        private boolean readCipher(SocketChannel open, TlsEngine tls) throws IOException {
            ByteBuffer from = input;
            if (from == null) {
                throw new IllegalStateException("a TLS connection has a buffer");
            }
            int length = open.read(from);
            if (length < 0) {
                ended();
                return false;
            }
            boolean isFull = !from.hasRemaining();
            int generation = closed;
            from.flip();
            for (int record = record(from); closed == generation && record > 0; record = record(from)) {
                boolean wasHandshaking = tls.isHandshaking();
                int end = from.position() + record;
                int limit = from.limit();
                worker.plain.clear();
                from.limit(end);
                TlsEngine.Status status = tls.unwrap(from, worker.plain);
                from.limit(limit);
                boolean needsHelp = status == TlsEngine.Status.NEEDS_TASK || status == TlsEngine.Status.NEEDS_WRAP;
                if (from.position() < end && !needsHelp && status != TlsEngine.Status.CLOSED) {
                    throw new IOException("the server sent a TLS record that cannot be read");
                }
                if (wasHandshaking || needsHelp) {
                    negotiate(tls);
                }
                if (wasHandshaking && !tls.isHandshaking()) {
                    send();
                }
                worker.plain.flip();
                consume(worker.plain);
                if (closed == generation && status == TlsEngine.Status.CLOSED) {
                    ended();
                }
            }
            if (closed == generation) {
                from.compact();
            }
            return isFull;
        }

        /** The length of the next record; 0 while it is not complete. */
        private static int record(ByteBuffer from) {
            if (from.remaining() < RECORD_HEAD) {
                return 0;
            }
            int length = RECORD_HEAD + (from.getShort(from.position() + RECORD_HEAD - 2) & 0xffff);
            return from.remaining() < length ? 0 : length;
        }

        private void consume(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                long before = response.body();
                boolean isComplete = response.read(bytes);
                if (counts) {
                    worker.bytes += response.body() - before;
                }
                if (isComplete) {
                    complete();
                }
            }
        }

        private void complete() throws IOException {
            count();
            if (stopped) {
                return;
            }
            if (response.closes()) {
                worker.reopen(this);
            } else {
                send();
            }
        }

        private void count() {
            long now = System.nanoTime();
            worker.inARow = 0;
            worker.complete++;
            worker.completeBytes += response.body() - bodyBefore;
            if (response.status() != 200) {
                worker.failed("status " + response.status());
            } else if (counts) {
                worker.latencies.add(now - sentAt);
            }
            if (!isAnswered) {
                isAnswered = true;
                unanswered.countDown();
            }
        }

        /** The server closed the connection. */
        private void ended() throws IOException {
            if (response.endsWithConnection()) {
                count();
            } else if (!response.isBetween()) {
                throw new EOFException("the server closed the connection within a response");
            } else {
                worker.inARow++;
            }
            worker.reopen(this);
        }

        void close() {
            closed++;
            SocketChannel open = channel;
            channel = null;
            try {
                if (open != null) {
                    open.close();
                }
            } catch (IOException alreadyBroken) {
                // nothing more is to be had from it
            }
            TlsEngine tls = engine;
            engine = null;
            if (tls != null) {
                tls.release();
            }
        }
    }
}
