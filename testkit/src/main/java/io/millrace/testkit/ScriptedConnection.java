package io.millrace.testkit;

import io.millrace.io.Blocker;
import io.millrace.io.BufferPool;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.ConnectionMeter;
import io.millrace.io.Payload;
import io.millrace.io.ReachedLimits;
import io.millrace.io.Timers;
import io.millrace.io.socket.SocketInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory connection controlled by a test: {@link #receive} is input from the peer, {@link #sent} is output to it,
 * {@link #hold} makes it slow. Single-threaded, and therefore deterministic. Violations of the contract of {@link
 * Connection} fail immediately with an {@link AssertionError}.
 */
public final class ScriptedConnection implements Connection {

    private static final int FILE_STEP = 16 * 1024;
    private static final ConnectionInfo INFO = new SocketInfo(loopback(80), loopback(50_000));

    private final BufferPool pool = new BufferPool(16L * 1024 * 1024);
    private final ConnectionMeter meter = new ConnectionMeter();
    private final Deque<byte[]> input = new ArrayDeque<>();
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final Deque<Runnable> due = new ArrayDeque<>();

    private @Nullable ConnectionHandler handler;
    private @Nullable Payload held;
    private @Nullable Completion heldCompletion;
    private @Nullable Throwable cause;
    private @Nullable Error refusal;
    private Duration timeout = Duration.ZERO;
    private @Nullable Duration writeLimit;
    private @Nullable Runnable withinRead;
    private boolean running;
    private boolean inputEnded;
    private boolean truncated;
    private boolean awaiting;
    private boolean holding;
    private final Timers timers;
    private boolean emptyReadsCost;
    private boolean finished;
    private boolean closed;
    private boolean reset;
    private int writes;

    /** With timers that never fire, since everything runs inside the calls of the test. */
    public ScriptedConnection() {
        this(timers());
    }

    /** With timers of the test. */
    public ScriptedConnection(Timers timers) {
        this.timers = timers;
    }

    /** Installs a handler and starts it. */
    public ScriptedConnection start(ConnectionHandler first) {
        install(first);
        run(first::onReadable);
        return this;
    }

    /** From now on, a read without input counts as expensive ({@link Channel#emptyReadsCost}). */
    public ScriptedConnection chargeForEmptyReads() {
        emptyReadsCost = true;
        return this;
    }

    /** Input from the peer in ISO 8859-1, to be read as one chunk. */
    public ScriptedConnection receive(String text) {
        return receive(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Input from the peer, to be read as one chunk (or several, if it exceeds a buffer). */
    public ScriptedConnection receive(byte[] bytes) {
        for (int from = 0; from < bytes.length; from += BufferPool.BUFFER_SIZE) {
            int to = Math.min(bytes.length, from + BufferPool.BUFFER_SIZE);
            input.add(java.util.Arrays.copyOfRange(bytes, from, to));
        }
        run(this::readable);
        return this;
    }

    /** The peer ends its output (half-close). */
    public ScriptedConnection receiveEnd() {
        inputEnded = true;
        run(this::readable);
        return this;
    }

    /** The same, of which the transport has not called yet. */
    public ScriptedConnection receiveEndUnnoticed() {
        inputEnded = true;
        return this;
    }

    /** The peer's output ends without the notice that a layer requires ({@link Chunk#TRUNCATED_END}). */
    public ScriptedConnection receiveTruncatedEnd() {
        truncated = true;
        return receiveEnd();
    }

    /** The transport makes a spurious call, as after a TLS session ticket; the action runs inside the read. */
    public ScriptedConnection receiveNothing(Runnable meanwhile) {
        withinRead = meanwhile;
        run(() -> {
            if (awaiting) {
                awaiting = false;
                handler().onReadable();
            }
        });
        return this;
    }

    /** The connection breaks. */
    public ScriptedConnection breakOff() {
        run(() -> close(new IOException("connection reset by peer")));
        return this;
    }

    /** From now on the peer receives nothing: writes stay pending until {@link #unhold}. */
    public ScriptedConnection hold() {
        holding = true;
        return this;
    }

    /** From now on writes throw this, before anything is sent; null for none. */
    public ScriptedConnection refuseWrites(@Nullable Error thrown) {
        refusal = thrown;
        return this;
    }

    /** The peer receives again. */
    public ScriptedConnection unhold() {
        holding = false;
        run(() -> {
            Payload payload = held;
            Completion completion = heldCompletion;
            held = null;
            heldCompletion = null;
            if (payload != null && completion != null) {
                take(payload, completion);
            }
        });
        return this;
    }

    /** The idle timeout expires. */
    public ScriptedConnection idle() {
        run(() -> {
            if (awaiting) {
                awaiting = false;
                handler().onIdle();
            } else if (held != null) {
                close(new IOException("the peer does not read"));
            }
        });
        return this;
    }

    /** The transport drains. */
    public ScriptedConnection drain() {
        run(() -> {
            handler().drain();
            if (awaiting) {
                awaiting = false;
                handler().onReadable();
            }
        });
        return this;
    }

    /** Runs an action like the transport would: everything that becomes due is done before this method returns. */
    public void run(Runnable action) {
        due.add(action);
        if (running) {
            return;
        }
        running = true;
        try {
            for (Runnable next = due.poll(); next != null; next = due.poll()) {
                next.run();
            }
        } finally {
            running = false;
        }
    }

    /** All output so far, in ISO 8859-1. */
    public String sent() {
        return output.toString(StandardCharsets.ISO_8859_1);
    }

    /** The output since the last call of this method. */
    public String takeSent() {
        String text = sent();
        output.reset();
        return text;
    }

    /** All output so far. */
    public byte[] sentBytes() {
        return output.toByteArray();
    }

    /** The number of writes. */
    public int writes() {
        return writes;
    }

    /** Whether the output was ended, by finish or close. */
    public boolean isFinished() {
        return finished || closed;
    }

    /** Whether the connection is closed. */
    public boolean isClosed() {
        return closed;
    }

    /** Why it was closed; null after a normal end, or if it is open. */
    public @Nullable Throwable cause() {
        return cause;
    }

    /** Whether it was reset: the peer notices that the data is incomplete. */
    public boolean isReset() {
        return reset;
    }

    /** Whether the handler waits for input. */
    public boolean isAwaiting() {
        return awaiting;
    }

    /** The current idle timeout. */
    public Duration timeout() {
        return timeout;
    }

    /** The limit of writes; null if there is none. */
    public @Nullable Duration writeLimit() {
        return writeLimit;
    }

    /** Whether all input was read. */
    public boolean isInputRead() {
        return input.isEmpty();
    }

    /** Timers for the protocol on such a link, which never fire, since the server runs on its client's thread. */
    public static Timers timers() {
        Timers timers = new Timers("never");
        timers.close();
        return timers;
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        if (awaiting) {
            throw new AssertionError("read after awaitReadable: the transport owns the input");
        }
        if (closed) {
            throw new IOException("the connection is closed");
        }
        Runnable meanwhile = withinRead;
        withinRead = null;
        if (meanwhile != null) {
            meanwhile.run();
        }
        byte[] next = input.poll();
        if (next == null) {
            if (!inputEnded) {
                return null;
            }
            return truncated ? Chunk.TRUNCATED_END : Chunk.END;
        }
        return new PoisonedChunk(pool.lease(), next);
    }

    @Override
    public void awaitReadable() {
        if (awaiting) {
            throw new AssertionError("awaitReadable twice");
        }
        if (!closed) {
            awaiting = true;
            run(this::readable);
        }
    }

    @Override
    public boolean takeBack() {
        boolean waited = awaiting;
        awaiting = false;
        return waited;
    }

    @Override
    public void write(Payload payload, Completion completion) {
        if (held != null) {
            throw new AssertionError("a second write while one is under way");
        }
        if (finished) {
            throw new AssertionError("a write after finish");
        }
        if (refusal != null) {
            throw refusal;
        }
        writes++;
        if (closed) {
            completion.done(new IOException("the connection is closed"));
        } else if (holding) {
            held = payload;
            heldCompletion = completion;
        } else {
            take(payload, completion);
        }
    }

    @Override
    public void finish(Completion completion) {
        if (held != null) {
            throw new AssertionError("finish while a write is under way");
        }
        finished = true;
        completion.done(closed ? new IOException("the connection is closed") : null);
    }

    @Override
    public void reset(@Nullable Throwable why) {
        reset |= !closed;
        close(why);
    }

    @Override
    public void close(@Nullable Throwable why) {
        if (closed) {
            return;
        }
        closed = true;
        awaiting = false;
        cause = why;
        input.clear();
        Completion pending = heldCompletion;
        held = null;
        heldCompletion = null;
        run(() -> {
            if (pending != null) {
                pending.done(new IOException("the connection is closed", why));
            }
            if (handler != null) {
                handler.onClosed(why);
            }
        });
    }

    @Override
    public void install(ConnectionHandler next) {
        handler = next;
    }

    @Override
    public void idleTimeout(Duration limit) {
        timeout = limit;
    }

    /** Counts the limits that the peer has reached. */
    public ReachedLimits limits() {
        return meter.limits();
    }

    @Override
    public void limitWrites(Duration limit) {
        writeLimit = limit;
    }

    @Override
    public Channel channel() {
        return new Channel(INFO, pool, false, emptyReadsCost, Blocker.NEVER_IN_PLACE, timers, meter);
    }

    private static SocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private ConnectionHandler handler() {
        if (handler == null) {
            throw new AssertionError("no handler was installed");
        }
        return handler;
    }

    private void readable() {
        if (awaiting && (!input.isEmpty() || inputEnded)) {
            awaiting = false;
            handler().onReadable();
        }
    }

    private void take(Payload payload, Completion completion) {
        IOException failure = null;
        try {
            if (payload instanceof Payload.Bytes bytes) {
                for (ByteBuffer buffer : bytes.buffers()) {
                    byte[] copy = new byte[buffer.remaining()];
                    buffer.get(copy);
                    output.write(copy);
                }
            } else if (payload instanceof Payload.FileRegion region) {
                takeFile(region);
            }
        } catch (IOException e) {
            failure = e;
        }
        completion.done(failure);
    }

    private void takeFile(Payload.FileRegion region) throws IOException {
        long position = region.position();
        long end = position + region.remaining();
        while (position < end) {
            long step = Math.min(FILE_STEP, end - position);
            long moved = region.file().transferTo(position, step, Channels.newChannel(output));
            if (moved <= 0) {
                throw new IOException("the file is shorter than the region");
            }
            position += moved;
        }
    }

    /** A pooled chunk whose bytes are overwritten when it is released, so that a use after release is detected. */
    private static final class PoisonedChunk implements Chunk {

        private static final byte POISON = (byte) 0xdd;

        private final Chunk pooled;

        PoisonedChunk(Chunk pooled, byte[] content) {
            this.pooled = pooled;
            pooled.bytes().put(content).flip();
        }

        @Override
        public ByteBuffer bytes() {
            return pooled.bytes();
        }

        @Override
        public boolean isEnd() {
            return false;
        }

        @Override
        public void release() {
            ByteBuffer all = pooled.bytes().duplicate().clear();
            while (all.hasRemaining()) {
                all.put(POISON);
            }
            pooled.release();
        }
    }
}
