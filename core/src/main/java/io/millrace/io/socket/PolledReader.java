package io.millrace.io.socket;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The input of a {@link PolledConnection}. */
final class PolledReader {

    /**
     * The number of chunks that an I/O thread reads before it serves other connections: 256 KiB. Otherwise a fast sender
     * could monopolize the thread, in a proxy for example, which writes what it has read and reads again.
     */
    static final int TURN = 16;

    private final PollingThread thread;
    private final PolledConnection connection;
    private final PolledSocket socket;
    private final InputInterest interest = new InputInterest();

    /**
     * The last read emptied the receive buffer. The poller, which is level-triggered, reports later input, so that reading
     * before would be useless. Confined to the connection's owner.
     */
    private boolean drained;

    /** The number of chunks that I/O threads have read since the wait ended. Confined to the connection's owner. */
    private int inTurn;

    PolledReader(PollingThread thread, PolledConnection connection, PolledSocket socket) {
        this.thread = thread;
        this.connection = connection;
        this.socket = socket;
    }

    @Nullable
    Chunk read(BufferPool buffers) throws IOException {
        connection.life().checkOpen();
        boolean polling = thread.isPolling();
        if (drained && !interest.isSuspended() || polling && inTurn == TURN) {
            return null;
        }
        Chunk chunk = buffers.lease();
        ByteBuffer bytes = chunk.bytes();
        int count = 0;
        try {
            count = socket.read(bytes);
        } catch (IOException broken) {
            connection.close(broken);
            throw broken;
        } finally {
            if (count <= 0) {
                chunk.release();
            }
        }
        drained = count >= 0 && bytes.hasRemaining();
        if (count > 0) {
            inTurn += polling ? 1 : 0;
            connection.meter().receive(count);
            bytes.flip();
            return chunk;
        }
        return count == 0 ? null : end();
    }

    private Chunk end() throws IOException {
        connection.life().checkOpen(); // some sockets report an end if they were closed meanwhile
        if (!connection.isInputEnded()) {
            connection.inputEnded();
        }
        return Chunk.END;
    }

    boolean isWaiting() {
        return interest.isWanted();
    }

    void await() {
        interest.await(socket);
    }

    /** Ends the owner's wait, if there is one. Called by the polling thread, which owns the connection if this is true. */
    boolean take() {
        if (!interest.take()) {
            return false;
        }
        beginTurn();
        return true;
    }

    /** Called when the poller reports input. True if a reader was waiting: the polling thread then owns the connection. */
    boolean ready() {
        if (!interest.ready(socket)) {
            return false;
        }
        beginTurn();
        return true;
    }

    private void beginTurn() {
        drained = false;
        inTurn = 0;
    }
}
