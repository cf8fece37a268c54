package io.millrace.exchange;

import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.io.Blocker;
import io.millrace.io.BufferPool;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.ConnectionMeter;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import io.millrace.protocol.HttpStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stream in memory that simulates a client: it receives a limited number of bytes until the test makes room, and sends the
 * scripted input. Thread-safe; completions run on the thread that makes room, like those of a connection.
 */
final class MemoryStream implements HttpStream {

    private static final long DEADLINE_SECONDS = 20;

    final List<String> events = new ArrayList<>();
    final BufferPool pool;

    /** The number of threads in {@link #read}. */
    final AtomicInteger readers = new AtomicInteger();

    final CountDownLatch over = new CountDownLatch(1);
    volatile @Nullable ResponseHead head;
    volatile boolean lastSeen;
    volatile @Nullable Throwable aborted;
    volatile @Nullable MemoryStream tunnel;
    volatile Duration tunnelTimeout = Duration.ZERO;
    volatile @Nullable Runnable drainListener;
    Blocker blocker = Blocker.NEVER_IN_PLACE;

    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final ArrayDeque<Object> input = new ArrayDeque<>();
    private long window = Long.MAX_VALUE;
    private @Nullable Throwable broken;
    private @Nullable Payload pending;
    private @Nullable Completion pendingCompletion;
    private @Nullable Runnable reader;
    private @Nullable Consumer<@Nullable Throwable> closeListener;

    MemoryStream() {
        this(new BufferPool(64 * BufferPool.BUFFER_SIZE));
    }

    MemoryStream(BufferPool pool) {
        this.pool = pool;
    }

    // called by the test

    /** Limits the number of bytes that the client receives from now on. */
    synchronized MemoryStream window(long bytes) {
        window = bytes;
        return this;
    }

    /** The client receives more, on this thread, which represents the connection's. */
    void take(long bytes) {
        Completion due;
        synchronized (this) {
            window = Math.addExact(window, bytes);
            due = accept();
        }
        if (due != null) {
            due.done(null);
        }
    }

    /** The connection breaks: the current write and all later ones fail. */
    void breakOff(Throwable failure) {
        Completion due;
        Runnable ready;
        Consumer<@Nullable Throwable> closed;
        synchronized (this) {
            broken = failure;
            closed = closeListener;
            closeListener = null;
            due = pendingCompletion;
            pending = null;
            pendingCompletion = null;
            ready = reader;
            reader = null;
        }
        if (due != null) {
            due.done(failure);
        }
        if (ready != null) {
            ready.run();
        }
        if (closed != null) {
            closed.accept(failure);
        }
    }

    /** The client sends something. */
    MemoryStream supply(String text) {
        return supply((Object) text.getBytes(StandardCharsets.ISO_8859_1));
    }

    MemoryStream supplyEnd() {
        return supply(Chunk.END);
    }

    MemoryStream supplyFailure(IOException failure) {
        return supply(failure);
    }

    private MemoryStream supply(Object item) {
        Runnable ready;
        synchronized (this) {
            input.add(item);
            ready = reader;
            reader = null;
        }
        if (ready != null) {
            ready.run();
        }
        return this;
    }

    synchronized String received() {
        return received.toString(StandardCharsets.ISO_8859_1);
    }

    synchronized byte[] receivedBytes() {
        return received.toByteArray();
    }

    synchronized boolean isWriting() {
        return pending != null;
    }

    synchronized boolean isAwaited() {
        return reader != null;
    }

    ResponseHead head() {
        ResponseHead seen = head;
        if (seen == null) {
            throw new AssertionError("no head was sent");
        }
        return seen;
    }

    void awaitEnd() throws InterruptedException {
        if (!over.await(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the stream was neither ended nor aborted; events: " + events);
        }
    }

    synchronized List<String> events() {
        return List.copyOf(events);
    }

    // called by the exchange

    @Override
    public @Nullable Chunk read() throws IOException {
        readers.incrementAndGet();
        try {
            return readNow();
        } finally {
            readers.decrementAndGet();
        }
    }

    private synchronized @Nullable Chunk readNow() throws IOException {
        if (broken != null) {
            throw new IOException(broken);
        }
        Object next = input.poll();
        if (next instanceof IOException failure) {
            throw failure;
        }
        if (next instanceof byte[] bytes) {
            Chunk chunk = pool.lease();
            chunk.bytes().put(bytes).flip();
            return chunk;
        }
        return (Chunk) next;
    }

    @Override
    public void awaitReadable(Runnable ready) {
        synchronized (this) {
            if (reader != null) {
                throw new IllegalStateException("awaited twice");
            }
            if (input.isEmpty() && broken == null) {
                reader = ready;
                return;
            }
        }
        ready.run();
    }

    @Override
    public void inform(int status, Headers headers, Completion completion) {
        synchronized (this) {
            events.add("inform " + status + " " + headers.get("Link"));
        }
        completion.done(null);
    }

    @Override
    public void send(@Nullable ResponseHead first, Payload body, boolean last, Completion completion) {
        Throwable failure;
        Completion due;
        synchronized (this) {
            if (pending != null) {
                throw new IllegalStateException("two writes at once");
            }
            if (lastSeen) {
                throw new IllegalStateException("a write after the last");
            }
            if ((first == null) == (head == null)) {
                throw new IllegalStateException("the head comes with the first piece");
            }
            if (first != null) {
                head = first;
            }
            events.add((first == null ? "" : "head+") + body.remaining() + (last ? " last" : ""));
            lastSeen = last;
            failure = broken;
            pending = failure == null ? body : null;
            pendingCompletion = failure == null ? completion : null;
            due = failure == null ? accept() : completion;
        }
        if (due != null) {
            due.done(failure);
        }
    }

    @Override
    public void tunnel(ResponseHead first, Duration idleTimeout, Consumer<HttpStream> opened) {
        events.add("tunnel " + first.status());
        MemoryStream raw = new MemoryStream(pool).supply("raw").supplyEnd();
        tunnel = raw;
        tunnelTimeout = idleTimeout;
        over.countDown();
        opened.accept(raw);
    }

    @Override
    public void onDrain(Runnable draining) {
        drainListener = draining;
    }

    @Override
    public void end() {
        synchronized (this) {
            events.add("end");
        }
        over.countDown();
    }

    @Override
    public void abort(@Nullable Throwable cause) {
        synchronized (this) {
            events.add("abort");
            aborted = cause == null ? new IOException("aborted") : cause;
        }
        breakOff(new IOException("aborted"));
        over.countDown();
    }

    @Override
    public void onClosed(Consumer<@Nullable Throwable> closed) {
        Throwable failure;
        synchronized (this) {
            closeListener = closed;
            failure = broken;
        }
        if (failure != null) {
            closed.accept(failure);
        }
    }

    @Override
    public Channel channel() {
        return new Channel(new Info(), pool, false, false, blocker, new Timers("unused"), new ConnectionMeter());
    }

    /** Moves bytes to the client as far as its window allows; returns the completion to call, if all are moved. */
    private @Nullable Completion accept() {
        if (pending instanceof Payload.Bytes bytes) {
            for (ByteBuffer buffer : bytes.buffers()) {
                accept(buffer);
            }
        }
        if (pending == null || pending instanceof Payload.Bytes && pending.remaining() > 0) {
            return null;
        }
        if (pending instanceof Payload.FileRegion region) {
            accept(region);
        }
        Completion due = pendingCompletion;
        pending = null;
        pendingCompletion = null;
        return due;
    }

    private void accept(ByteBuffer buffer) {
        byte[] moved = new byte[(int) Math.min(window, buffer.remaining())];
        buffer.get(moved);
        window -= moved.length;
        received.writeBytes(moved);
    }

    private void accept(Payload.FileRegion region) {
        try {
            ByteBuffer buffer = ByteBuffer.allocate((int) region.remaining());
            region.file().read(buffer, region.position());
            received.writeBytes(buffer.array());
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private record Info() implements ConnectionInfo {
        @Override
        public SocketAddress local() {
            return InetSocketAddress.createUnresolved("server", 80);
        }

        @Override
        public SocketAddress remote() {
            return InetSocketAddress.createUnresolved("client", 1024);
        }
    }
}
