package io.millrace.connector.apr;

import io.millrace.connector.apr.binding.AprSocket;
import io.millrace.connector.apr.binding.Descriptors;
import io.millrace.connector.apr.binding.Polled;
import io.millrace.connector.apr.binding.Pollset;
import io.millrace.io.BufferPool;
import io.millrace.io.Payload;
import io.millrace.io.socket.PolledConnection;
import io.millrace.io.socket.PolledSocket;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/** An APR socket in a pollset. It is destroyed when it is closed and no thread is inside a call with it. */
final class AprPolledSocket implements PolledSocket, Polled {

    private final AprSocket socket;
    private final Pollset pollset;
    private final BufferPool buffers;
    private @Nullable PolledConnection owner;

    AprPolledSocket(AprSocket socket, Pollset pollset, BufferPool buffers) {
        this.socket = socket;
        this.pollset = pollset;
        this.buffers = buffers;
    }

    @Override
    public SocketAddress local() throws IOException {
        return socket.local();
    }

    @Override
    public SocketAddress remote() throws IOException {
        return socket.remote();
    }

    @Override
    public void join(PolledConnection connection) {
        socket.join(pollset, this);
        owner = connection;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return socket.receive(into);
    }

    @Override
    public int gatherable(ByteBuffer[] buffersToSend, int first) {
        int end = first;
        int room = BufferPool.BUFFER_SIZE;
        while (end < buffersToSend.length && end - first < AprSocket.MAX_BUFFERS) {
            room -= buffersToSend[end].isDirect() ? 0 : buffersToSend[end].remaining();
            if (room < 0) {
                break;
            }
            end++;
        }
        return end - first;
    }

    @Override
    public long write(ByteBuffer[] buffersToSend, int first, int count) throws IOException {
        return CopiedBytes.send(socket, buffers, buffersToSend, first, count);
    }

    @Override
    public long writeSome(ByteBuffer buffer) throws IOException {
        return CopiedBytes.send(socket, buffers, buffer);
    }

    @Override
    public long send(Payload.FileRegion region, long position, long most) throws IOException {
        int number = FileDescriptors.of(region.file());
        int descriptor = number == FileDescriptors.NONE ? Descriptors.NONE : Descriptors.duplicate(number);
        if (descriptor == Descriptors.NONE) {
            return CopiedBytes.send(socket, buffers, region, position, most);
        }
        try {
            // If the file is closed meanwhile, as an interrupt does, the number may already denote another file. A
            // channel that is open after the number was duplicated was open then, so the duplicate is of its file.
            if (!region.file().isOpen()) {
                throw new ClosedChannelException();
            }
            return socket.sendFile(descriptor, position, most);
        } finally {
            Descriptors.close(descriptor);
        }
    }

    @Override
    public void suspendReads() {
        watch(0, AprSocket.READABLE);
    }

    @Override
    public void resumeReads() {
        watch(AprSocket.READABLE, 0);
    }

    @Override
    public void suspendWrites() {
        watch(0, AprSocket.WRITABLE);
    }

    @Override
    public void resumeWrites() {
        watch(AprSocket.WRITABLE, 0);
    }

    private void watch(int more, int less) {
        try {
            socket.watch(more, less);
        } catch (IOException impossible) { // the kernel is out of memory, or epoll is at a limit
            PolledConnection connection = owner;
            if (connection != null) {
                connection.close(impossible);
            }
        }
    }

    @Override
    public void finish() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public void resetOnClose() {
        try {
            socket.linger(0);
        } catch (IOException broken) {
            // the peer has closed the connection: no reset is necessary
        }
    }

    @Override
    public void close() {
        socket.close();
    }

    @Override
    public void forget() {
        pollset.forget(socket);
    }

    @Override
    public void ready(int events) {
        PolledConnection connection = owner;
        if (connection == null) {
            return;
        }
        if ((events & (AprSocket.READABLE | AprSocket.BROKEN)) != 0) {
            connection.readReady();
        }
        if ((events & (AprSocket.WRITABLE | AprSocket.BROKEN)) != 0) {
            connection.writeReady();
        }
    }

    @Override
    public void gone() {
        PolledConnection connection = owner;
        if (connection != null) {
            connection.gone();
        }
    }
}
