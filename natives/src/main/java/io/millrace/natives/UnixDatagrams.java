package io.millrace.natives;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Sends datagrams to a Unix domain socket, which java.nio has as streams only. An address that begins with {@code @} is one of Linux'
 * abstract namespace. A message is the text of one datagram. Thread-safe.
 */
public final class UnixDatagrams implements Consumer<String> {

    private static final short AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int MSG_NOSIGNAL = 0x4000;

    /** {@code sun_path} of {@code sockaddr_un}. */
    private static final int MAX_PATH = 108;

    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private final byte[] name;
    private final MethodHandle socket;
    private final MethodHandle sendto;
    private final MethodHandle close;
    private final MethodHandle strerror;

    /**
     * A sender to a socket, which need not exist yet.
     *
     * @param address an absolute path, or {@code @} and an abstract name
     * @throws IllegalStateException if it is neither, or native functions cannot be used here; the message says why
     */
    public UnixDatagrams(String address) {
        Platform.requireLinux64();
        name = address.getBytes(StandardCharsets.UTF_8);
        if (!(address.startsWith("/") || address.startsWith("@")) || name.length < 2 || name.length >= MAX_PATH) {
            throw new IllegalStateException("\"" + address
                    + "\" is no address of a Unix domain socket: expected an absolute path, or @ and a name, of at most "
                    + (MAX_PATH - 1) + " bytes");
        }
        if (address.startsWith("@")) {
            name[0] = 0;
        }
        NativeLibrary c = NativeLibrary.ofC();
        try {
            socket = c.function("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT), ERRNO);
            sendto = c.function(
                    "sendto",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT),
                    ERRNO);
            close = c.function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
            strerror = c.function("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));
        } catch (IllegalCallerException refused) {
            throw new IllegalStateException(
                    "access to native functions is denied. Start Java with --enable-native-access=ALL-UNNAMED",
                    refused);
        }
    }

    /**
     * Sends a datagram. Blocks while the receiver's queue is full.
     *
     * @throws IllegalStateException if it cannot be sent; the message is the system's
     */
    @Override
    public synchronized void accept(String message) {
        try (Arena arena = Arena.ofConfined()) {
            send(arena, message);
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void send(Arena arena, String message) throws Throwable {
        MemorySegment state = arena.allocate(STATE);
        int descriptor = (int) socket.invokeExact(state, (int) AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (descriptor < 0) {
            throw failed("socket", state);
        }
        try {
            byte[] text = message.getBytes(StandardCharsets.UTF_8);
            MemorySegment data = arena.allocate(Math.max(1, text.length));
            MemorySegment.copy(text, 0, data, JAVA_BYTE, 0, text.length);
            MemorySegment address = arena.allocate(Short.BYTES + MAX_PATH, Short.BYTES);
            address.set(JAVA_SHORT, 0, AF_UNIX);
            MemorySegment.copy(name, 0, address, JAVA_BYTE, Short.BYTES, name.length);
            // An abstract name has no terminating zero: its length is part of it.
            int length = Short.BYTES + name.length + (name[0] == 0 ? 0 : 1);
            long sent = (long)
                    sendto.invokeExact(state, descriptor, data, (long) text.length, MSG_NOSIGNAL, address, length);
            if (sent < 0) {
                throw failed("sendto", state);
            }
        } finally {
            int ignored = (int) close.invokeExact(descriptor);
        }
    }

    private IllegalStateException failed(String call, MemorySegment state) throws Throwable {
        MemorySegment text = (MemorySegment) strerror.invokeExact(state.get(JAVA_INT, ERRNO_OFFSET));
        return new IllegalStateException(
                call + ": " + Pointers.at(text.address(), 256).getString(0));
    }
}
