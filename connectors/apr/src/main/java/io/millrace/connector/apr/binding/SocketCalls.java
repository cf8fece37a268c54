package io.millrace.connector.apr.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The functions of apr_network_io.h on sockets. Each returns an {@link AprStatus}. A {@code length} is the address of the
 * number of bytes: those requested before the call, those transferred after it.
 */
final class SocketCalls {

    private static final int SHUTDOWN_WRITE = 1;

    private static final MethodHandle CREATE =
            AprLibrary.function("apr_socket_create", JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle BIND = AprLibrary.function("apr_socket_bind", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle LISTEN = AprLibrary.function("apr_socket_listen", JAVA_LONG, JAVA_INT);
    private static final MethodHandle ACCEPT =
            AprLibrary.function("apr_socket_accept", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CONNECT = AprLibrary.function("apr_socket_connect", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CLOSE = AprLibrary.function("apr_socket_close", JAVA_LONG);
    private static final MethodHandle TIMEOUT = AprLibrary.function("apr_socket_timeout_set", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle OPTION = AprLibrary.function("apr_socket_opt_set", JAVA_LONG, JAVA_INT, JAVA_INT);
    private static final MethodHandle ADDRESS =
            AprLibrary.function("apr_socket_addr_get", JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final MethodHandle RECEIVE = AprLibrary.function("apr_socket_recv", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SEND =
            AprLibrary.function("apr_socket_sendv", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final MethodHandle SEND_FILE =
            AprLibrary.function("apr_socket_sendfile", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SHUTDOWN = AprLibrary.function("apr_socket_shutdown", JAVA_LONG, JAVA_INT);
    private static final MethodHandle OS_FILE_PUT =
            AprLibrary.function("apr_os_file_put", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final MethodHandle OS_SOCKET_MAKE =
            AprLibrary.function("apr_os_sock_make", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle OS_SOCKET_GET = AprLibrary.function("apr_os_sock_get", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SETSOCKOPT =
            AprLibrary.ofC("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle GETSOCKOPT =
            AprLibrary.ofC("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);

    private SocketCalls() {}

    static int create(MemorySegment out, int family, int type, int protocol, long pool) {
        try {
            return (int) CREATE.invokeExact(out.address(), family, type, protocol, pool);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }

    static int bind(long socket, long address) {
        try {
            return (int) BIND.invokeExact(socket, address);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }

    static int listen(long socket, int backlog) {
        try {
            return (int) LISTEN.invokeExact(socket, backlog);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }

    static int accept(MemorySegment out, long listening, long pool) {
        try {
            return (int) ACCEPT.invokeExact(out.address(), listening, pool);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }

    static int connect(long socket, long address) {
        try {
            return (int) CONNECT.invokeExact(socket, address);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }

    static int close(long socket) {
        try {
            return (int) CLOSE.invokeExact(socket);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }

    /** Sets a timeout of zero: APR makes the socket non-blocking. With a longer one, APR would wait inside calls. */
    static int setNonBlocking(long socket) {
        try {
            return (int) TIMEOUT.invokeExact(socket, 0L);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }

    static int option(long socket, int option, int value) {
        try {
            return (int) OPTION.invokeExact(socket, option, value);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }

    /** Stores the address of an apr_sockaddr_t that belongs to the socket. */
    static int address(MemorySegment out, int which, long socket) {
        try {
            return (int) ADDRESS.invokeExact(out.address(), which, socket);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }

    static int receive(long socket, long buffer, long length) {
        try {
            return (int) RECEIVE.invokeExact(socket, buffer, length);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }

    static int send(long socket, long iovecs, int count, long length) {
        try {
            return (int) SEND.invokeExact(socket, iovecs, count, length);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }

    static int sendFile(long socket, long file, long offset, long length) {
        try {
            return (int) SEND_FILE.invokeExact(socket, file, 0L, offset, length, 0);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }

    static int shutdownOutput(long socket) {
        try {
            return (int) SHUTDOWN.invokeExact(socket, SHUTDOWN_WRITE);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }

    /** Creates an apr_file_t in the pool for a descriptor, which stays open when the pool is destroyed. */
    static int file(long out, long descriptor, int flags, long pool) {
        try {
            return (int) OS_FILE_PUT.invokeExact(out, descriptor, flags, pool);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }

    /** Creates an apr_socket_t in the pool for an apr_os_sock_info_t; both are closed together. */
    static int make(MemorySegment out, MemorySegment info, long pool) {
        try {
            return (int) OS_SOCKET_MAKE.invokeExact(out.address(), info.address(), pool);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }

    static int descriptor(long out, long socket) {
        try {
            return (int) OS_SOCKET_GET.invokeExact(out, socket);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }

    /** The C library's function; -1 if it fails. */
    static int setOption(int descriptor, int level, int option, long value, int size) {
        try {
            return (int) SETSOCKOPT.invokeExact(descriptor, level, option, value, size);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }

    /** The C library's function; -1 if it fails. */
    static int getOption(int descriptor, int level, int option, long value, long size) {
        try {
            return (int) GETSOCKOPT.invokeExact(descriptor, level, option, value, size);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }
}
