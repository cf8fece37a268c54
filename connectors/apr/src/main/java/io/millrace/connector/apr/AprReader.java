package io.millrace.connector.apr;

import io.millrace.connector.apr.binding.AprSocket;
import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.socket.InputInterest;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The input half of a connection. */
final class AprReader implements InputInterest.Switch {

    private final AprConnection connection;
    private final AprSocket socket;
    private final InputInterest interest = new InputInterest();

    /**
     * The last read took all there was. What comes later is reported by the poller, which is level-triggered, so until
     * then reading is pointless. Belongs to the connection's owner.
     */
    private boolean drained;

    private volatile boolean ended;

    AprReader(AprConnection connection, AprSocket socket) {
        this.connection = connection;
        this.socket = socket;
    }

    @Nullable
    Chunk read(BufferPool buffers) throws IOException {
        connection.life().checkOpen();
        if (drained && !interest.isSuspended()) {
            return null;
        }
        Chunk chunk = buffers.lease();
        ByteBuffer bytes = chunk.bytes();
        int count = 0;
        try {
            count = socket.receive(bytes);
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
            bytes.flip();
            return chunk;
        }
        return count == 0 ? null : end();
    }

    private Chunk end() {
        if (!ended) {
            ended = true;
            connection.directionEnded();
        }
        return Chunk.END;
    }

    boolean isEnded() {
        return ended;
    }

    boolean isWaiting() {
        return interest.isWanted();
    }

    void await() {
        interest.await(this);
    }

    /** Ends the owner's wait, if there is one. On the poller, which owns the connection if this is true. */
    boolean take() {
        if (!interest.take()) {
            return false;
        }
        drained = false;
        return true;
    }

    /** The poller reports input. */
    void ready() {
        if (interest.ready(this)) {
            drained = false;
            connection.onReadable();
        }
    }

    @Override
    public void suspendReads() {
        connection.watch(0, AprSocket.READABLE);
    }

    @Override
    public void resumeReads() {
        connection.watch(AprSocket.READABLE, 0);
    }
}
