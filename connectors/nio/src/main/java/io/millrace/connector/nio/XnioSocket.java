package io.millrace.connector.nio;

import io.millrace.io.Payload;
import io.millrace.io.socket.GatheringWrite;
import io.millrace.io.socket.PolledConnection;
import io.millrace.io.socket.PolledSocket;
import io.millrace.io.socket.SocketInfo;
import io.millrace.io.socket.SocketSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.conduits.ReadReadyHandler;
import org.xnio.conduits.StreamSinkConduit;
import org.xnio.conduits.StreamSourceConduit;
import org.xnio.conduits.WriteReadyHandler;

/** A socket that reads and writes through XNIO's conduits, and is their ready handler. */
final class XnioSocket implements PolledSocket, ReadReadyHandler, WriteReadyHandler {

    private final SocketChannel channel;
    private final StreamSourceConduit source;
    private final StreamSinkConduit sink;
    private @Nullable PolledConnection owner;

    XnioSocket(SocketChannel channel, StreamConnection stream) {
        this.channel = channel;
        source = stream.getSourceChannel().getConduit();
        sink = stream.getSinkChannel().getConduit();
    }

    @Override
    public SocketInfo info() throws IOException {
        return SocketInfo.of(channel);
    }

    @Override
    public void join(PolledConnection connection) {
        owner = connection;
        source.setReadReadyHandler(this);
        sink.setWriteReadyHandler(this);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return source.read(into);
    }

    @Override
    public int gatherable(ByteBuffer[] buffers, int first) {
        return GatheringWrite.gatherable(buffers, first);
    }

    @Override
    public long write(ByteBuffer[] buffers, int first, int count) throws IOException {
        return sink.write(buffers, first, count);
    }

    @Override
    public long writeSome(ByteBuffer buffer) throws IOException {
        int limit = GatheringWrite.narrow(buffer);
        try {
            return sink.write(buffer);
        } finally {
            buffer.limit(limit);
        }
    }

    @Override
    public long send(Payload.FileRegion region, long position, long most) throws IOException {
        long count = sink.transferFrom(region.file(), position, most);
        if (count > 0) {
            return count;
        }
        return position < region.file().size() ? 0 : -1;
    }

    @Override
    public void suspendReads() {
        source.suspendReads();
    }

    @Override
    public void resumeReads() {
        source.resumeReads();
    }

    @Override
    public void suspendWrites() {
        sink.suspendWrites();
    }

    @Override
    public void resumeWrites() {
        sink.resumeWrites();
    }

    @Override
    public void finish() throws IOException {
        sink.terminateWrites();
    }

    @Override
    public void resetOnClose() {
        SocketSettings.resetOnClose(channel);
    }

    /**
     * Closes the socket itself, not XNIO's connection, which would poll once for each: with ten thousand connections reset
     * at once, ten thousand times. The descriptor is released by the thread's next poll, for which the task that ends the
     * connection wakes it.
     */
    @Override
    public void close() {
        IoUtils.safeClose(channel);
        PolledConnection connection = owner;
        if (connection != null) {
            connection.gone();
        }
    }

    @Override
    public void forget() {
        // XNIO releases the key when its thread polls next
    }

    @Override
    public void readReady() {
        PolledConnection connection = owner;
        if (connection != null) {
            connection.readReady();
        }
    }

    @Override
    public void writeReady() {
        PolledConnection connection = owner;
        if (connection != null) {
            connection.writeReady();
        }
    }

    @Override
    public void forceTermination() {
        PolledConnection connection = owner;
        if (connection != null) {
            connection.close(new IOException("the I/O threads are shutting down"));
        }
    }

    @Override
    public void terminated() {
        // the connection knows: it closed the channel or finished the output
    }
}
