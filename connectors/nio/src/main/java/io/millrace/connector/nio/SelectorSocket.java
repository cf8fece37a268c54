package io.millrace.connector.nio;

import io.millrace.io.Payload;
import io.millrace.io.socket.GatheringWrite;
import io.millrace.io.socket.PolledConnection;
import io.millrace.io.socket.PolledSocket;
import io.millrace.io.socket.SelectorListener;
import io.millrace.io.socket.SelectorLoop;
import io.millrace.io.socket.SocketInfo;
import io.millrace.io.socket.SocketSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A socket that is registered with a {@link SelectorLoop}. */
final class SelectorSocket implements PolledSocket, SelectorListener {

    private final SocketChannel channel;
    private final SelectorLoop loop;
    private final SelectionKey key;
    private @Nullable PolledConnection owner;

    SelectorSocket(SocketChannel channel, SelectorLoop loop) throws IOException {
        this.channel = channel;
        this.loop = loop;
        key = loop.register(channel, this);
    }

    @Override
    public SocketInfo info() throws IOException {
        return SocketInfo.of(channel);
    }

    @Override
    public void join(PolledConnection connection) {
        owner = connection;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int count = channel.read(into);
        if (count < 0) {
            suspendReads(); // the selector would report the end of input again and again
        }
        return count;
    }

    @Override
    public int gatherable(ByteBuffer[] buffers, int first) {
        return GatheringWrite.gatherable(buffers, first);
    }

    @Override
    public long write(ByteBuffer[] buffers, int first, int count) throws IOException {
        return count == 1 ? channel.write(buffers[first]) : channel.write(buffers, first, count);
    }

    @Override
    public long writeSome(ByteBuffer buffer) throws IOException {
        int limit = GatheringWrite.narrow(buffer);
        try {
            return channel.write(buffer);
        } finally {
            buffer.limit(limit);
        }
    }

    @Override
    public long send(Payload.FileRegion region, long position, long most) throws IOException {
        long count = region.file().transferTo(position, most, channel);
        if (count > 0) {
            return count;
        }
        return position < region.file().size() ? 0 : -1;
    }

    @Override
    public void suspendReads() {
        SelectorLoop.disarm(key, SelectionKey.OP_READ);
    }

    @Override
    public void resumeReads() {
        loop.arm(key, SelectionKey.OP_READ);
    }

    @Override
    public void suspendWrites() {
        SelectorLoop.disarm(key, SelectionKey.OP_WRITE);
    }

    @Override
    public void resumeWrites() {
        loop.arm(key, SelectionKey.OP_WRITE);
    }

    @Override
    public void finish() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public void resetOnClose() {
        SocketSettings.resetOnClose(channel);
    }

    /** The selector releases the descriptor in its next selection, for which the task that ends the connection wakes it. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException broken) {
            // closed all the same
        }
        PolledConnection connection = owner;
        if (connection != null) {
            connection.gone();
        }
    }

    @Override
    public void forget() {
        // the selector releases the key
    }

    @Override
    public void ready(int operations) {
        PolledConnection connection = owner;
        if (connection == null) {
            return;
        }
        if ((operations & SelectionKey.OP_READ) != 0) {
            connection.readReady();
        }
        // if the handler has kept this thread for long, another one polls, to which the selector reports it again
        if ((operations & SelectionKey.OP_WRITE) != 0 && !loop.role().isLost()) {
            connection.writeReady();
        }
    }

    @Override
    public void unregistered(Throwable cause) {
        PolledConnection connection = owner;
        if (connection != null) {
            connection.close(cause);
        }
    }
}
