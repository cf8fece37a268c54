package io.millrace.connector.nio;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.socket.InputInterest;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.xnio.conduits.ReadReadyHandler;
import org.xnio.conduits.StreamSourceConduit;

/** The input half of a connection. */
final class NioReader implements ReadReadyHandler, InputInterest.Switch {

    private final NioConnection connection;
    private final StreamSourceConduit conduit;
    private final InputInterest interest = new InputInterest();

    /**
     * The last read took all there was. What comes later is reported by the poller, which is level-triggered, so until
     * then reading is pointless. Belongs to the connection's owner.
     */
    private boolean drained;

    private volatile boolean ended;

    NioReader(NioConnection connection, StreamSourceConduit conduit) {
        this.connection = connection;
        this.conduit = conduit;
        conduit.setReadReadyHandler(this);
    }

    @Nullable
    Chunk read(BufferPool buffers) throws IOException {
        if (drained && !interest.isSuspended()) {
            connection.life().checkOpen();
            return null;
        }
        Chunk chunk = buffers.lease();
        ByteBuffer bytes = chunk.bytes();
        int count = 0;
        try {
            count = conduit.read(bytes);
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

    private Chunk end() throws IOException {
        connection.life().checkOpen(); // XNIO says "end" for a closed channel as well
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

    /** Ends the owner's wait, if there is one. On the I/O thread, which owns the connection if this is true. */
    boolean take() {
        if (!interest.take()) {
            return false;
        }
        drained = false;
        return true;
    }

    @Override
    public void readReady() {
        if (interest.ready(this)) {
            drained = false;
            connection.onReadable();
        }
    }

    @Override
    public void suspendReads() {
        conduit.suspendReads();
    }

    @Override
    public void resumeReads() {
        conduit.resumeReads();
    }

    @Override
    public void forceTermination() {
        connection.close(new IOException("the I/O threads are shutting down"));
    }

    @Override
    public void terminated() {
        // the connection knows: it closed the channel
    }
}
