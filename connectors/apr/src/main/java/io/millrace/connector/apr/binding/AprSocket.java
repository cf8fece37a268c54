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
 * apr_socket_t, non-blocking. Any thread may close it or change the events it is watched for; one at
 * a time may receive, one at a time send. Calls after the close throw {@link ClosedChannelException}; calls in progress
 * finish, and the last one destroys the socket.
 */
public final class AprSocket implements Closeable {

    /** Data or the end of input can be received. */
    public static final int READABLE = 0x1;

    /** Data can be sent. */
    public static final int WRITABLE = 0x4;

    /** An error or a hang-up; always reported while any event is watched for. */
    public static final int BROKEN = 0x10 | 0x20;

    /** The most buffers of one {@link #send}. */
    public static final int MAX_BUFFERS = Slots.MAX_IOVECS;

    /** For {@link #option}; the values of apr_network_io.h. */
    public static final int SO_KEEPALIVE = 2;

    static final int SO_REUSEADDR = 0x10;

    /** In bytes. */
    public static final int SO_SNDBUF = 0x40;

    static final int SO_RCVBUF = 0x80;

    /** Sends small segments without delay. */
    public static final int TCP_NODELAY = 0x200;

    static final int IPV6_V6ONLY = 0x4000;

    /** The C library's number, for {@link #kernelOption}. */
    private static final int SOL_SOCKET = 1;

    private static final int SO_ERROR = 4;

    private static final int POLL_SOCKET = 1;
    private static final int FILE_READ_SENDFILE = 0x1 | 0x1000;

    private final UseCount uses = new UseCount();
    private final SocketPool pool;
    private final long socket;
    private @Nullable Polled owner;
    private @Nullable Pollset pollset;
    private MemorySegment memory = MemorySegment.NULL;
    private int slot;

    /** The events that the pollset watches for. Guarded by this. */
    private int watched;

    private AprSocket(SocketPool pool, long socket) {
        this.pool = pool;
        this.socket = socket;
    }

    /**
     * A socket that was just created or accepted. Closes it if there is no memory for this object.
     *
     * @param pool has the memory of the socket, and closes it
     * @param socket its address
     */
    static AprSocket of(SocketPool pool, long socket) {
        AprSocket made = null;
        try {
            made = new AprSocket(pool, socket);
            return made;
        } finally {
            if (made == null) {
                pool.close(socket);
            }
        }
    }

    /** Called before receiving, sending and watching, on the pollset's thread. */
    public void join(Pollset polledBy, Polled polled) {
        polledBy.join(this);
        owner = polled;
    }

    /**
     * Creates a socket to {@link #connect}.
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
            socket.setNonBlocking();
            done = true;
            return socket;
        } finally {
            if (!done) {
                socket.close();
            }
        }
    }

    /** Begins to connect. The socket becomes writable when the attempt has succeeded or failed. */
    public void connect(InetSocketAddress to) throws IOException {
        InetAddress host = to.getAddress();
        enter();
        try {
            long address = Addresses.make(host.getHostAddress(), Addresses.family(host), to.getPort(), pool.address());
            int status = SocketCalls.connect(socket, address);
            if (status != AprStatus.SUCCESS && status != AprStatus.EINPROGRESS) {
                throw AprStatus.connectFailure(status);
            }
        } finally {
            leave();
        }
    }

    /**
     * Checks, once the socket is writable, that it is connected.
     *
     * @throws IOException if it is not, of the same types as the JDK's sockets throw
     */
    public void finishConnect() throws IOException {
        int status = kernelOption(SOL_SOCKET, SO_ERROR);
        if (status != AprStatus.SUCCESS) {
            throw AprStatus.connectFailure(status);
        }
    }

    /** Leaves its pollset, so that it can join another. Called on that pollset's thread. */
    public void leavePollset() throws IOException {
        watch(0, READABLE | WRITABLE);
        Pollset current = pollset;
        if (current != null) {
            pollset = null;
            owner = null;
            memory = MemorySegment.NULL;
            current.forget(this);
        }
    }

    void joined(Pollset polledBy, int index, MemorySegment slotMemory) {
        slotMemory.set(JAVA_INT, Layouts.POLLFD_DESC_TYPE, POLL_SOCKET);
        slotMemory.set(JAVA_LONG, Layouts.POLLFD_DESC, socket);
        pollset = polledBy;
        slot = index;
        memory = slotMemory;
    }

    int slot() {
        return slot;
    }

    void ready(int events) {
        Polled polled = owner;
        if (polled != null) {
            polled.ready(events);
        }
    }

    /**
     * Adds and removes watched events. Thread-safe; no effect once closed.
     *
     * @throws IOException if the kernel refuses, in which case no event is watched any more
     */
    public void watch(int more, int less) throws IOException {
        if (!uses.enter()) {
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
        Pollset current = pollset;
        if (wanted == watched || current == null) {
            return;
        }
        if (watched != 0) {
            current.remove(memory);
            watched = 0;
        }
        if (wanted != 0) {
            memory.set(JAVA_SHORT, Layouts.POLLFD_REQEVENTS, (short) wanted);
            AprStatus.check("watch a socket", current.add(memory));
            watched = wanted;
        }
    }

    /**
     * Receives into a direct buffer that has room.
     *
     * @return the number of bytes; 0 if none are available; -1 at the end of input
     */
    public int receive(ByteBuffer into) throws IOException {
        int room = into.remaining();
        if (room == 0 || !into.isDirect()) {
            throw new IllegalArgumentException("the buffer is full or not direct"); // APR would report the end of input
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
     * @param count {@link #MAX_BUFFERS} at most
     * @return the number of bytes; 0 if the socket is not writable
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
     * Sends a region of an open file.
     *
     * @param descriptor the file's, which must remain open meanwhile
     * @return the number of bytes; 0 if the socket is not writable; -1 if the file ends before the region
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

    /** Ends the output. No effect if the peer has closed the connection already. */
    public void shutdownOutput() throws IOException {
        enter();
        try {
            int status = SocketCalls.shutdownOutput(socket);
            if (status != AprStatus.ENOTCONN) {
                AprStatus.check("shut down the output", status);
            }
        } finally {
            leave();
        }
    }

    /** The local address. */
    public InetSocketAddress local() throws IOException {
        return address(Addresses.LOCAL);
    }

    /** The peer's address. */
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

    /** Sets how long a close tries to send unsent data. APR supports 30 s only, hence setsockopt. */
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
     * Returns the kernel's value of an option.
     *
     * @param level the C library's number, as that of the option
     * @return -1 if the kernel does not know the option
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
        AprStatus.check("get the descriptor of a socket", SocketCalls.descriptor(out.address(), socket));
        return out.get(JAVA_INT, 0);
    }

    void setNonBlocking() throws IOException {
        enter();
        try {
            AprStatus.check("make a socket non-blocking", SocketCalls.setNonBlocking(socket));
        } finally {
            leave();
        }
    }

    /** Accepts a connection, whose memory is in this pool; null if none is pending. For listening sockets. */
    @Nullable
    AprSocket accept(SocketPool itsPool) throws IOException {
        enter();
        try {
            long accepted = itsPool.accept(socket);
            return accepted == 0 ? null : of(itsPool, accepted);
        } finally {
            leave();
        }
    }

    /** Binds it to an address that is no name; returns an {@link AprStatus}. */
    int bind(String literal, int family, int port) throws IOException {
        enter();
        try {
            return SocketCalls.bind(socket, Addresses.make(literal, family, port, pool.address()));
        } finally {
            leave();
        }
    }

    /** Begins to listen; returns an {@link AprStatus}. */
    int listen(int backlog) throws IOException {
        enter();
        try {
            return SocketCalls.listen(socket, backlog);
        } finally {
            leave();
        }
    }

    /** Closes it, at once or after the last call in progress, and then calls {@link Polled#gone}. Thread-safe. */
    @Override
    public void close() {
        if (uses.close()) {
            leave();
        }
    }

    private void enter() throws ClosedChannelException {
        if (!uses.enter()) {
            throw new ClosedChannelException();
        }
    }

    private void leave() {
        if (uses.leave()) {
            destroy();
        }
    }

    private void destroy() {
        Pollset current = pollset;
        if (current != null && watched != 0) {
            current.remove(memory);
        }
        pool.close(socket);
        Polled polled = owner;
        if (polled != null) {
            polled.gone();
        }
    }
}
