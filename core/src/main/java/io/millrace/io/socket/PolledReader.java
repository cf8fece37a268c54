package io.millrace.io.socket;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The input half of a connection. */
final class PolledReader {

    /**
     * Chunks that an I/O thread reads before other connections have their turn: 256 KiB. A peer that sends faster than its input is handled
     * would keep the thread otherwise, as what a proxy reads it writes at once, and reads on.
     */
    static final int TURN = 16;

    private final PollingThread thread;
    private final PolledConnection connection;
    private final PolledSocket socket;
    private final InputInterest interest = new InputInterest();

    /**
     * The last read took all there was. What comes later is reported by the poller, which is level-triggered, so until
     * then reading is pointless. Belongs to the connection's owner.
     */
    private boolean drained;

    /** Chunks that I/O threads have read since the poller reported input. Belongs to the connection's owner. */
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
            bytes.flip();
            return chunk;
        }
        return count == 0 ? null : end();
    }

    private Chunk end() throws IOException {
        connection.life().checkOpen(); // closed meanwhile, which some sockets call an end too
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

    /** Ends the owner's wait, if there is one. By the polling thread, which owns the connection if this is true. */
    boolean take() {
        if (!interest.take()) {
            return false;
        }
        beginTurn();
        return true;
    }

    /** The poller reports input. True if a reader was waiting for it: the polling thread owns the connection then. */
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
