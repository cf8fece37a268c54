package io.millrace.connector.apr.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.millrace.io.socket.UseCount;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * apr_socket_t, non-blocking, with a pool of its own. Any thread may close it or change what it is watched for; one at a time
 * receives, one at a time sends. Whoever comes after the close gets a {@link ClosedChannelException}; whoever is inside a
 * call then is let finish, and the last one out destroys the socket.
 */
public final class AprSocket implements Closeable {

    /** There is something to receive, or the end. */
    public static final int READABLE = 0x1;

    /** Something can be sent. */
    public static final int WRITABLE = 0x4;

    /** An error or a hang-up; always reported while anything is watched for. */
    public static final int BROKEN = 0x10 | 0x20;

    /** How many buffers {@link #send} takes at a time. */
    public static final int MOST_BUFFERS = Slots.MOST_IOVECS;

    /** For {@link #option}; the values of apr_network_io.h. */
    public static final int SO_KEEPALIVE = 2;

    static final int SO_REUSEADDR = 0x10;

    /** Bytes. */
    public static final int SO_SNDBUF = 0x40;

    static final int SO_RCVBUF = 0x80;

    /** Not to wait for more before a small segment is sent. */
    public static final int TCP_NODELAY = 0x200;

    static final int IPV6_V6ONLY = 0x4000;

    /** C's, for {@link #kernelOption}. */
    private static final int SOL_SOCKET = 1;

    private static final int SO_ERROR = 4;

    private static final int POLL_SOCKET = 1;
    private static final int FILE_READ_SENDFILE = 0x1 | 0x1000;

    private final UseCount gate = new UseCount();
    private final long pool;
    private final long socket;
    private @Nullable Polled user;
    private @Nullable Pollset pollset;
    private MemorySegment memory = MemorySegment.NULL;
    private int slot;

    /** What the pollset watches for now; guarded by this. */
    private int watched;

    AprSocket(long pool, long socket) {
        this.pool = pool;
        this.socket = socket;
    }

    /** Comes before receiving, sending and watching. By the pollset's thread. */
    public void join(Pollset polledBy, Polled polled) {
        polledBy.join(this);
        user = polled;
    }

    /**
     * A socket that is to {@link #connect}.
     *
     * @param receiveBuffer bytes; 0 leaves the system's default
     */
    public static AprSocket outgoing(InetSocketAddress to, int receiveBuffer) throws IOException {
        AprSocket socket = AprListeningSocket.unconnected(Addresses.family(to.getAddress()));
        boolean done = false;
        try {
            if (receiveBuffer > 0) {
                socket.option(SO_RCVBUF, receiveBuffer);
            }
            socket.dontBlock();
            done = true;
            return socket;
        } finally {
            if (!done) {
                socket.close();
            }
        }
    }

    /** Begins to connect; it is writable when that has ended, one way or the other. */
    public void connect(InetSocketAddress to) throws IOException {
        InetAddress host = to.getAddress();
        enter();
        try {
            long address = Addresses.make(host.getHostAddress(), Addresses.family(host), to.getPort(), pool);
            int status = SocketCalls.connect(socket, address);
            if (status != AprStatus.SUCCESS && status != AprStatus.EINPROGRESS) {
                throw AprStatus.connectFailure(status);
            }
        } finally {
            leave();
        }
    }

    /**
     * Whether it is connected, once it is writable.
     *
     * @throws IOException if it is not, as the JDK's sockets would say it
     */
    public void finishConnect() throws IOException {
        int status = kernelOption(SOL_SOCKET, SO_ERROR);
        if (status != AprStatus.SUCCESS) {
            throw AprStatus.connectFailure(status);
        }
    }

    /** Leaves the pollset that it joined, so that it can join another. By that pollset's thread. */
    public void quit() throws IOException {
        watch(0, READABLE | WRITABLE);
        Pollset mine = pollset;
        if (mine != null) {
            pollset = null;
            user = null;
            memory = MemorySegment.NULL;
            mine.forget(this);
        }
    }

    void joined(Pollset polledBy, int index, MemorySegment itsMemory) {
        itsMemory.set(JAVA_INT, Layouts.POLLFD_DESC_TYPE, POLL_SOCKET);
        itsMemory.set(JAVA_LONG, Layouts.POLLFD_DESC, socket);
        pollset = polledBy;
        slot = index;
        memory = itsMemory;
    }

    int slot() {
        return slot;
    }

    void ready(int events) {
        Polled polled = user;
        if (polled != null) {
            polled.ready(events);
        }
    }

    /**
     * Watches for more, or less. Any thread; nothing if closed.
     *
     * @throws IOException if the kernel can't, and nothing is watched any more
     */
    public void watch(int more, int less) throws IOException {
        if (!gate.enter()) {
            return;
        }
        try {
            change(more, less);
        } finally {
            leave();
        }
    }

    private synchronized void change(int more, int less) throws IOException {
        int wanted = (watched | more) & ~less;
        Pollset mine = pollset;
        if (wanted == watched || mine == null) {
            return;
        }
        if (watched != 0) {
            mine.remove(memory);
            watched = 0;
        }
        if (wanted != 0) {
            memory.set(JAVA_SHORT, Layouts.POLLFD_REQEVENTS, (short) wanted);
            AprStatus.check("watch a socket", mine.add(memory));
            watched = wanted;
        }
    }

    /**
     * Receives into a direct buffer that has room.
     *
     * @return how much; 0: nothing now; -1: the peer has ended
     */
    public int receive(ByteBuffer into) throws IOException {
        int room = into.remaining();
        if (room == 0 || !into.isDirect()) {
            throw new IllegalArgumentException("the buffer has no room, or is not direct"); // APR would report an end
        }
        enter();
        try {
            memory.set(JAVA_LONG, Slots.RECEIVED, room);
            int status = SocketCalls.receive(
                    socket, MemorySegment.ofBuffer(into).address(), memory.address() + Slots.RECEIVED);
            if (status == AprStatus.SUCCESS) {
                int count = (int) memory.get(JAVA_LONG, Slots.RECEIVED);
                into.position(into.position() + count);
                return count;
            }
            if (status == AprStatus.EAGAIN) {
                return 0;
            }
            if (status == AprStatus.EOF) {
                return -1;
            }
            throw AprStatus.failure("receive", status);
        } finally {
            leave();
            Reference.reachabilityFence(into);
        }
    }

    /**
     * Sends direct buffers as one gathering write, and moves their positions.
     *
     * @param count {@link #MOST_BUFFERS} at most
     * @return how much; 0: nothing now
     */
    public long send(ByteBuffer[] buffers, int first, int count) throws IOException {
        enter();
        try {
            for (int i = 0; i < count; i++) {
                put(i, buffers[first + i]);
            }
            long base = memory.address();
            int status = SocketCalls.send(socket, base + Slots.IOVECS, count, base + Slots.SENT);
            if (status == AprStatus.EAGAIN) {
                return 0;
            }
            AprStatus.check("send", status);
            long sent = memory.get(JAVA_LONG, Slots.SENT);
            advance(buffers, first, sent);
            return sent;
        } finally {
            leave();
            Reference.reachabilityFence(buffers);
        }
    }

    private void put(int index, ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException("the buffer is not direct");
        }
        long at = Slots.IOVECS + index * Layouts.IOVEC.byteSize();
        memory.set(
                JAVA_LONG,
                at + Layouts.IOVEC_BASE,
                MemorySegment.ofBuffer(buffer).address());
        memory.set(JAVA_LONG, at + Layouts.IOVEC_LEN, buffer.remaining());
    }

    private static void advance(ByteBuffer[] buffers, int first, long sent) {
        long left = sent;
        for (int i = first; left > 0; i++) {
            int step = (int) Math.min(left, buffers[i].remaining());
            buffers[i].position(buffers[i].position() + step);
            left -= step;
        }
    }

    /**
     * Sends a piece of an open file.
     *
     * @param descriptor the file's, which nobody closes meanwhile
     * @return how much; 0: nothing now; -1: the file ends before the piece
     */
    public long sendFile(int descriptor, long position, long count) throws IOException {
        enter();
        try {
            long transientPool = Pools.create();
            try {
                return sendFile(descriptor, position, count, transientPool);
            } finally {
                Pools.destroy(transientPool);
            }
        } finally {
            leave();
        }
    }

    private long sendFile(int descriptor, long position, long count, long transientPool) throws IOException {
        long base = memory.address();
        memory.set(JAVA_INT, Slots.DESCRIPTOR, descriptor);
        AprStatus.check(
                "use a file",
                SocketCalls.file(base + Slots.FILE, base + Slots.DESCRIPTOR, FILE_READ_SENDFILE, transientPool));
        memory.set(JAVA_LONG, Slots.FILE_OFFSET, position);
        memory.set(JAVA_LONG, Slots.SENT, count);
        int status = SocketCalls.sendFile(
                socket, memory.get(JAVA_LONG, Slots.FILE), base + Slots.FILE_OFFSET, base + Slots.SENT);
        if (status == AprStatus.EOF) {
            return -1;
        }
        if (status != AprStatus.EAGAIN) {
            AprStatus.check("send a file", status);
        }
        return memory.get(JAVA_LONG, Slots.SENT);
    }

    /** Ends the output; nothing happens if the peer has gone already. */
    public void shutdownOutput() throws IOException {
        enter();
        try {
            int status = SocketCalls.shutdownOutput(socket);
            if (status != AprStatus.ENOTCONN) {
                AprStatus.check("end the output", status);
            }
        } finally {
            leave();
        }
    }

    /** Our end. */
    public InetSocketAddress local() throws IOException {
        return address(Addresses.LOCAL);
    }

    /** The peer's end. */
    public InetSocketAddress remote() throws IOException {
        return address(Addresses.REMOTE);
    }

    private InetSocketAddress address(int end) throws IOException {
        enter();
        try {
            return Addresses.of(socket, end);
        } finally {
            leave();
        }
    }

    /** Sets one of the options above. */
    public void option(int option, int value) throws IOException {
        enter();
        try {
            AprStatus.check("set an option of a socket", SocketCalls.option(socket, option, value));
        } finally {
            leave();
        }
    }

    /** How long closing goes on trying to send what is left. APR knows only half a minute, so C is asked. */
    public void linger(int seconds) throws IOException {
        enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment linger = arena.allocateFrom(JAVA_INT, 1, seconds);
            SocketCalls.setOption(descriptor(arena), 1, 13, linger.address(), 8); // SOL_SOCKET, SO_LINGER
        } finally {
            leave();
        }
    }

    /**
     * What the kernel holds of an option.
     *
     * @param level C's number for it, and so the option's
     * @return -1 if it knows no such option
     */
    int kernelOption(int level, int option) throws IOException {
        enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(JAVA_INT);
            MemorySegment size = arena.allocateFrom(JAVA_INT, (int) JAVA_INT.byteSize());
            int result = SocketCalls.getOption(descriptor(arena), level, option, value.address(), size.address());
            return result == 0 ? value.get(JAVA_INT, 0) : -1;
        } finally {
            leave();
        }
    }

    private int descriptor(Arena arena) throws IOException {
        MemorySegment out = arena.allocate(JAVA_INT);
        AprStatus.check("tell a descriptor", SocketCalls.descriptor(out.address(), socket));
        return out.get(JAVA_INT, 0);
    }

    void dontBlock() throws IOException {
        enter();
        try {
            AprStatus.check("make a socket non-blocking", SocketCalls.dontBlock(socket));
        } finally {
            leave();
        }
    }

    /** Accepts one more, if this is a listening socket, into the pool. Null if nobody is there. */
    @Nullable
    AprSocket accept(long itsPool) throws IOException {
        enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            int status = SocketCalls.accept(out, socket, itsPool);
            if (status == AprStatus.EAGAIN) {
                return null;
            }
            AprStatus.check("accept", status);
            return new AprSocket(itsPool, out.get(JAVA_LONG, 0));
        } finally {
            leave();
        }
    }

    /** Closes it, now or when the last thread has left it; then tells its user that it is gone. Any thread. */
    @Override
    public void close() {
        if (gate.close()) {
            leave();
        }
    }

    private void enter() throws ClosedChannelException {
        if (!gate.enter()) {
            throw new ClosedChannelException();
        }
    }

    private void leave() {
        if (gate.leave()) {
            destroy();
        }
    }

    private void destroy() {
        Pollset mine = pollset;
        if (mine != null && watched != 0) {
            mine.remove(memory);
        }
        SocketCalls.close(socket);
        Pools.destroy(pool);
        Polled polled = user;
        if (polled != null) {
            polled.gone();
        }
    }
}
