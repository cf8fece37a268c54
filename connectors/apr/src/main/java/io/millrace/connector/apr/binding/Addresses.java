package io.millrace.connector.apr.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.millrace.natives.Pointers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Converts between apr_sockaddr_t and Java's addresses. */
final class Addresses {

    static final int INET = 2;
    static final int INET6 = 10;

    /** The local end of a socket, for {@link #of}. */
    static final int LOCAL = 0;

    static final int REMOTE = 1;

    /** Enough for an IPv6 address with a zone name. */
    private static final int MAX_TEXT = 96;

    private static final MethodHandle INFO_GET = AprLibrary.function(
            "apr_sockaddr_info_get", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_SHORT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle IP_GETBUF =
            AprLibrary.function("apr_sockaddr_ip_getbuf", JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private Addresses() {}

    static int family(InetAddress address) {
        return address instanceof Inet6Address ? INET6 : INET;
    }

    /** Creates an apr_sockaddr_t in the pool and returns its address. Queries no name service. */
    static long make(String literal, int family, int port, long pool) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            MemorySegment text = arena.allocateFrom(literal);
            int status;
            try {
                status = (int) INFO_GET.invokeExact(out.address(), text.address(), family, (short) port, 0, pool);
            } catch (Throwable thrown) {
                throw AprLibrary.unexpected(thrown);
            }
            AprStatus.check("use the address " + literal, status);
            return out.get(JAVA_LONG, 0);
        }
    }

    /** The address of one end of a socket. */
    static InetSocketAddress of(long socket, int end) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            AprStatus.check("get the address of a socket", SocketCalls.address(out, end, socket));
            return read(out.get(JAVA_LONG, 0), arena);
        }
    }

    static InetSocketAddress read(long sockaddr, Arena arena) throws IOException {
        MemorySegment text = arena.allocate(MAX_TEXT);
        int status;
        try {
            status = (int) IP_GETBUF.invokeExact(text.address(), text.byteSize(), sockaddr);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
        AprStatus.check("format an address", status);
        MemorySegment structure = Pointers.at(sockaddr, Layouts.SOCKADDR.byteSize());
        int port = structure.get(JAVA_SHORT, Layouts.SOCKADDR_PORT) & 0xFFFF;
        return new InetSocketAddress(InetAddress.ofLiteral(text.getString(0)), port);
    }

    static int familyOf(long sockaddr) {
        MemorySegment structure = Pointers.at(sockaddr, Layouts.SOCKADDR.byteSize());
        return structure.get(JAVA_INT, Layouts.SOCKADDR_FAMILY);
    }
}
