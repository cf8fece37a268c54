package io.millrace.protocol.serial;

import io.millrace.io.AtomicField;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The input of a connection, with unread bytes kept for the next reader. Confined to the connection's owner, except
 * {@link #close}, which is thread-safe and releases the bytes exactly once.
 */
public final class Input {

    /** Up to this size, a heap buffer is used instead of a pooled one. */
    private static final int SMALL = 1024;

    /** Replaces the unread bytes once the connection is closed. */
    private static final Chunk CLOSED = Chunk.wrap(ByteBuffer.allocate(0));

    private static final VarHandle UNREAD = AtomicField.of(MethodHandles.lookup(), "unread", Chunk.class);

    private final Connection connection;
    private final DisconnectWatch disconnectWatch;
    private volatile @Nullable Chunk unread;
    private boolean ended;

    /**
     * The input of a connection.
     *
     * @param unread bytes that were read before; owned by this object
     */
    public Input(Connection connection, DisconnectWatch disconnectWatch, @Nullable Chunk unread) {
        this.connection = connection;
        this.disconnectWatch = disconnectWatch;
        this.unread = unread;
    }

    /** The next bytes; {@link Chunk#END} at the end; null if nothing is available now. */
    @Nullable
    public Chunk next() throws IOException {
        Chunk kept = takeUnread();
        return note(kept == null ? disconnectWatch.read() : kept);
    }

    /** The next bytes for the body of a request. */
    @Nullable
    public Chunk nextOfBody() throws IOException {
        Chunk kept = takeUnread();
        return note(kept == null ? disconnectWatch.readShared() : kept);
    }

    private @Nullable Chunk note(@Nullable Chunk chunk) {
        if (chunk != null && chunk.isEnd()) {
            ended = true;
            connection.limitWrites(ConnectionHandler.HALF_CLOSED_LIMIT);
        }
        return chunk;
    }

    /** Keeps the rest of a chunk for the next reader; releases it if nothing is left. */
    public void keep(Chunk chunk) {
        if (!chunk.bytes().hasRemaining() || !UNREAD.compareAndSet(this, (Chunk) null, chunk)) {
            chunk.release();
        }
    }

    /** The first {@code length} bytes of a longer chunk; the rest is kept. Copies the smaller part. */
    public Chunk split(Chunk chunk, int length) throws IOException {
        ByteBuffer bytes = chunk.bytes();
        int rest = bytes.remaining() - length;
        if (length <= rest) {
            Chunk first = copy(bytes, length);
            keep(chunk);
            return first;
        }
        int end = bytes.position() + length;
        Chunk second = copy(bytes.duplicate().position(end), rest);
        bytes.limit(end);
        keep(second);
        return chunk;
    }

    /** A chunk for copying up to this many bytes. */
    public Chunk lease(int length) throws IOException {
        return length <= SMALL
                ? Chunk.wrap(ByteBuffer.allocate(length))
                : connection.channel().buffers().lease();
    }

    /** Whether there are unread bytes. */
    public boolean hasUnread() {
        Chunk kept = unread;
        return kept != null && !isClosedMark(kept);
    }

    /** All unread bytes, owned by the caller; null if there are none. */
    @Nullable
    public Chunk takeAll() {
        Chunk first = takeUnread();
        Chunk second = disconnectWatch.take();
        return second == null ? first : joined(first, second);
    }

    /** Joins two chunks in a heap buffer, and releases them. */
    static Chunk joined(@Nullable Chunk first, Chunk second) {
        int before = first == null ? 0 : first.bytes().remaining();
        ByteBuffer both = ByteBuffer.allocate(before + second.bytes().remaining());
        if (first != null) {
            both.put(first.bytes());
            first.release();
        }
        both.put(second.bytes());
        second.release();
        return Chunk.wrap(both.flip());
    }

    private @Nullable Chunk takeUnread() {
        Chunk kept = unread;
        boolean taken = kept != null && !isClosedMark(kept) && UNREAD.compareAndSet(this, kept, (Chunk) null);
        return taken ? kept : null;
    }

    /** Whether the peer's end of output was read. */
    public boolean isEnded() {
        return ended;
    }

    /** Called when the connection is closed, by any thread. */
    public void close() {
        Chunk kept = (Chunk) UNREAD.getAndSet(this, CLOSED);
        if (kept != null && !isClosedMark(kept)) {
            kept.release();
        }
        disconnectWatch.close();
    }

    @SuppressWarnings("ReferenceEquality") // there is one mark
    private static boolean isClosedMark(Chunk chunk) {
        return chunk == CLOSED;
    }

    private Chunk copy(ByteBuffer from, int length) throws IOException {
        Chunk copy = lease(length);
        ByteBuffer to = copy.bytes();
        to.put(to.position(), from, from.position(), length);
        to.limit(to.position() + length);
        from.position(from.position() + length);
        return copy;
    }
}
