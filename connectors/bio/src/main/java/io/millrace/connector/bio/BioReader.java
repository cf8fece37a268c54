package io.millrace.connector.bio;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The input half of a connection. Confined to the connection's owner, except {@link #close}. */
final class BioReader {

    /** Replaces the chunk that was read ahead once the connection is closed. */
    private static final Chunk CLOSED = Chunk.wrap(ByteBuffer.allocate(0));

    private final BioConnection connection;
    private final SocketChannel channel;

    /** The chunk that {@link #readAhead} has read. */
    private final AtomicReference<@Nullable Chunk> ahead = new AtomicReference<>();

    /**
     * The thread whose last read emptied the socket: another read by it is pointless until the connection has waited. 0 if
     * there may be more. A later owner's thread does read, and notices a peer that has closed.
     */
    private long drainedBy;

    BioReader(BioConnection connection, SocketChannel channel) {
        this.connection = connection;
        this.channel = channel;
    }

    @Nullable
    Chunk read(BufferPool buffers) throws IOException {
        connection.life().checkOpen();
        Chunk found = ahead.get();
        if (found == null) {
            found = drainedBy == Thread.currentThread().getId() ? null : readNow(buffers);
        } else {
            takeAhead(found);
        }
        if (found != null && found.isEnd() && !connection.isInputEnded()) {
            connection.inputEnded();
        }
        return found;
    }

    private void takeAhead(Chunk found) throws IOException {
        if (isClosedMark(found) || !ahead.compareAndSet(found, null)) {
            throw connection.life().closedException();
        }
    }

    @SuppressWarnings("ReferenceEquality") // a single instance
    private static boolean isClosedMark(Chunk chunk) {
        return chunk == CLOSED;
    }

    /** Reads before the connection waits. If there is input, it is kept for the next {@link #read}. */
    boolean readAhead(BufferPool buffers) {
        if (ahead.get() != null) {
            return true;
        }
        try {
            Chunk found = readNow(buffers);
            if (found == null) {
                return false;
            }
            if (!ahead.compareAndSet(null, found)) {
                found.release(); // closed meanwhile
            }
        } catch (IOException broken) {
            // the connection is closed, of which its handler will be notified
        }
        return true;
    }

    /** Whether input is kept for the next {@link #read}. */
    boolean hasReadAhead() {
        return ahead.get() != null;
    }

    /** Called after a wait: there may be input again. */
    void waited() {
        drainedBy = 0;
    }

    /** Releases the chunk of a closed connection. Thread-safe. */
    void close() {
        Chunk found = ahead.getAndSet(CLOSED);
        if (found != null) {
            found.release();
        }
    }

    private @Nullable Chunk readNow(BufferPool buffers) throws IOException {
        if (connection.isInputEnded()) {
            return Chunk.END;
        }
        Chunk chunk = buffers.lease();
        ByteBuffer bytes = chunk.bytes();
        int count = 0;
        try {
            count = channel.read(bytes);
        } catch (IOException broken) {
            connection.close(broken);
            throw broken;
        } finally {
            if (count <= 0) {
                chunk.release();
            }
        }
        if (count < 0) {
            return Chunk.END;
        }
        drainedBy = bytes.hasRemaining() ? Thread.currentThread().getId() : 0;
        if (count == 0) {
            return null;
        }
        connection.meter().receive(count);
        return filled(chunk);
    }

    private static Chunk filled(Chunk chunk) {
        chunk.bytes().flip();
        return chunk;
    }
}
