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

/** A socket of APR's, in a pollset: it is destroyed when no thread is inside a call with it any more. */
final class AprPolledSocket implements PolledSocket, Polled {

    private final AprSocket socket;
    private final Pollset pollset;
    private final BufferPool buffers;
    private @Nullable PolledConnection user;

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
    public void join(PolledConnection whose) {
        socket.join(pollset, this);
        user = whose;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return socket.receive(into);
    }

    @Override
    public int gatherable(ByteBuffer[] buffersToSend, int first) {
        int end = first;
        int room = BufferPool.BUFFER_SIZE;
        while (end < buffersToSend.length && end - first < AprSocket.MOST_BUFFERS) {
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
            // The number may be another file's by the time it is used, if somebody closes this one: an interrupt does.
            // A channel that is open after the number was duplicated was open then, so the duplicate is of its file.
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
        } catch (IOException impossible) { // the kernel is out of memory, or at a limit for epoll
            PolledConnection whose = user;
            if (whose != null) {
                whose.close(impossible);
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
            // by the peer: there is nobody to see it
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
        PolledConnection whose = user;
        if (whose == null) {
            return;
        }
        if ((events & (AprSocket.READABLE | AprSocket.BROKEN)) != 0) {
            whose.readReady();
        }
        if ((events & (AprSocket.WRITABLE | AprSocket.BROKEN)) != 0) {
            whose.writeReady();
        }
    }

    @Override
    public void gone() {
        PolledConnection whose = user;
        if (whose != null) {
            whose.gone();
        }
    }
}
