package io.millrace.connector.apr;

import io.millrace.connector.apr.binding.AprSocket;
import io.millrace.connector.apr.binding.Descriptors;
import io.millrace.connector.apr.binding.Polled;
import io.millrace.connector.apr.binding.Pollset;
import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.LoopRole;
import io.millrace.io.Payload;
import io.millrace.io.socket.PolledConnection;
import io.millrace.io.socket.PolledSocket;
import io.millrace.io.socket.SocketInfo;
import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
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
    public SocketInfo info() throws IOException {
        return new SocketInfo(socket.local(), socket.remote());
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
        // if the handler has kept this thread for long, another one polls, to which it is reported again
        if ((events & (AprSocket.WRITABLE | AprSocket.BROKEN)) != 0 && LoopRole.isPollingHere()) {
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

    /**
     * The descriptors of the JDK's file channels, for sendfile. The JDK does not expose them; the start script opens the two
     * packages that contain them. Without that, files are copied instead.
     */
    static final class FileDescriptors {

        /** No descriptor is available. */
        static final int NONE = -1;

        private static final @Nullable Field OF_CHANNEL = field("sun.nio.ch.FileChannelImpl", "fd");
        private static final @Nullable Field NUMBER = field(FileDescriptor.class.getName(), "fd");

        static {
            if (OF_CHANNEL == null || NUMBER == null) {
                AprLog.LOG.filesAreCopied();
            }
        }

        private FileDescriptors() {}

        /** The descriptor of an open file; {@link #NONE} if Java does not expose it, or the file is closed. */
        static int of(FileChannel file) {
            Field ofChannel = OF_CHANNEL;
            Field number = NUMBER;
            if (ofChannel == null
                    || number == null
                    || !ofChannel.getDeclaringClass().isInstance(file)) {
                return NONE;
            }
            try {
                return ofChannel.get(file) instanceof FileDescriptor descriptor ? number.getInt(descriptor) : NONE;
            } catch (IllegalAccessException impossible) {
                return NONE;
            }
        }

        private static @Nullable Field field(String className, String name) {
            try {
                Field found = Class.forName(className).getDeclaredField(name);
                return found.trySetAccessible() ? found : null;
            } catch (ReflectiveOperationException otherJdk) {
                return null;
            }
        }
    }

    /** Sends heap buffers and files through a pooled direct buffer; what the socket does not accept is copied again later. */
    private static final class CopiedBytes {

        private CopiedBytes() {}

        /** Sends bytes of a heap buffer and moves its position. Returns their number; 0 if the socket is not writable. */
        static long send(AprSocket socket, BufferPool pool, ByteBuffer from) throws IOException {
            Chunk chunk = lease(pool);
            try {
                ByteBuffer copy = chunk.bytes();
                int count = Math.min(copy.remaining(), from.remaining());
                copy.put(copy.position(), from, from.position(), count).limit(copy.position() + count);
                long sent = send(socket, copy);
                from.position(from.position() + (int) sent);
                return sent;
            } finally {
                chunk.release();
            }
        }

        /**
         * Sends several buffers as one gathering write, and moves their positions. Those on the heap, such as a head, must fit
         * together into a pooled buffer. Returns the number of bytes; 0 if the socket is not writable.
         */
        static long send(AprSocket socket, BufferPool pool, ByteBuffer[] from, int first, int count)
                throws IOException {
            if (isAllDirect(from, first, count)) {
                return socket.send(from, first, count);
            }
            Chunk chunk = lease(pool);
            try {
                ByteBuffer[] direct = new ByteBuffer[count];
                int used = chunk.bytes().position();
                for (int i = 0; i < count; i++) {
                    ByteBuffer each = from[first + i];
                    direct[i] = each.isDirect() ? each : copied(each, chunk.bytes(), used);
                    used += each.isDirect() ? 0 : each.remaining();
                }
                long sent = socket.send(direct, 0, count);
                for (int i = 0; i < count; i++) {
                    from[first + i].position(from[first + i].limit() - direct[i].remaining());
                }
                return sent;
            } finally {
                chunk.release();
            }
        }

        private static boolean isAllDirect(ByteBuffer[] buffers, int first, int count) {
            for (int i = first; i < first + count; i++) {
                if (!buffers[i].isDirect()) {
                    return false;
                }
            }
            return true;
        }

        private static ByteBuffer copied(ByteBuffer from, ByteBuffer to, int at) {
            int count = from.remaining();
            to.put(at, from, from.position(), count);
            return to.duplicate().limit(at + count).position(at);
        }

        /** Sends bytes of a file. Returns their number, less than {@code most} if the socket is full; -1 at the end of the file. */
        static long send(AprSocket socket, BufferPool pool, Payload.FileRegion from, long position, long most)
                throws IOException {
            Chunk chunk = lease(pool);
            try {
                ByteBuffer copy = chunk.bytes();
                int begin = copy.position();
                long sent = 0;
                while (sent < most) {
                    copy.clear().position(begin);
                    copy.limit((int) Math.min(copy.limit(), begin + most - sent));
                    int read = from.file().read(copy, position + sent);
                    if (read <= 0) {
                        return sent == 0 ? -1 : sent;
                    }
                    long taken = send(socket, copy.flip().position(begin));
                    sent += taken;
                    if (taken < read) {
                        return sent;
                    }
                }
                return sent;
            } finally {
                chunk.release();
            }
        }

        private static long send(AprSocket socket, ByteBuffer copy) throws IOException {
            return socket.send(new ByteBuffer[] {copy}, 0, 1);
        }

        private static Chunk lease(BufferPool pool) {
            Chunk chunk = pool.tryLease();
            return chunk == null ? Chunk.wrap(ByteBuffer.allocateDirect(BufferPool.BUFFER_SIZE)) : chunk;
        }
    }
}
