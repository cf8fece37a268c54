package io.millrace.connector.apr.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;

/**
 * The structures of APR 1 that are accessed here, as its headers declare them for 64-bit Linux; their layout is the same on
 * x86-64 and aarch64. {@link #check} compares offsets and sizes with those that a C compiler prints.
 */
final class Layouts {

    /** apr_version_t. */
    static final StructLayout VERSION = MemoryLayout.structLayout(
            JAVA_INT.withName("major"),
            JAVA_INT.withName("minor"),
            JAVA_INT.withName("patch"),
            JAVA_INT.withName("is_dev"));

    /** apr_pollfd_t. */
    static final StructLayout POLLFD = MemoryLayout.structLayout(
            JAVA_LONG.withName("p"),
            JAVA_INT.withName("desc_type"),
            JAVA_SHORT.withName("reqevents"),
            JAVA_SHORT.withName("rtnevents"),
            JAVA_LONG.withName("desc"),
            JAVA_LONG.withName("client_data"));

    static final long POLLFD_DESC_TYPE = offset(POLLFD, "desc_type");
    static final long POLLFD_REQEVENTS = offset(POLLFD, "reqevents");
    static final long POLLFD_RTNEVENTS = offset(POLLFD, "rtnevents");
    static final long POLLFD_DESC = offset(POLLFD, "desc");
    static final long POLLFD_CLIENT_DATA = offset(POLLFD, "client_data");

    /** struct iovec. */
    static final StructLayout IOVEC =
            MemoryLayout.structLayout(JAVA_LONG.withName("iov_base"), JAVA_LONG.withName("iov_len"));

    static final long IOVEC_BASE = offset(IOVEC, "iov_base");
    static final long IOVEC_LEN = offset(IOVEC, "iov_len");

    /** apr_sockaddr_t, as far as it is read. */
    static final StructLayout SOCKADDR = MemoryLayout.structLayout(
            JAVA_LONG.withName("pool"),
            JAVA_LONG.withName("hostname"),
            JAVA_LONG.withName("servname"),
            JAVA_SHORT.withName("port"),
            MemoryLayout.paddingLayout(2),
            JAVA_INT.withName("family"));

    static final long SOCKADDR_PORT = offset(SOCKADDR, "port");
    static final long SOCKADDR_FAMILY = offset(SOCKADDR, "family");

    /** apr_os_sock_info_t. */
    static final StructLayout OS_SOCK_INFO = MemoryLayout.structLayout(
            JAVA_LONG.withName("os_sock"),
            JAVA_LONG.withName("local"),
            JAVA_LONG.withName("remote"),
            JAVA_INT.withName("family"),
            JAVA_INT.withName("type"),
            JAVA_INT.withName("protocol"),
            MemoryLayout.paddingLayout(4));

    static final long OS_SOCK_INFO_OS_SOCK = offset(OS_SOCK_INFO, "os_sock");
    static final long OS_SOCK_INFO_FAMILY = offset(OS_SOCK_INFO, "family");
    static final long OS_SOCK_INFO_TYPE = offset(OS_SOCK_INFO, "type");
    static final long OS_SOCK_INFO_PROTOCOL = offset(OS_SOCK_INFO, "protocol");

    private Layouts() {}

    private static long offset(StructLayout structure, String field) {
        return structure.byteOffset(PathElement.groupElement(field));
    }

    /** Compares the layouts with those of a C compiler. */
    static void check() {
        expect("sizeof(apr_version_t)", 16, VERSION.byteSize());
        expect("sizeof(apr_pollfd_t)", 32, POLLFD.byteSize());
        expect("apr_pollfd_t.desc_type", 8, POLLFD_DESC_TYPE);
        expect("apr_pollfd_t.reqevents", 12, POLLFD_REQEVENTS);
        expect("apr_pollfd_t.rtnevents", 14, POLLFD_RTNEVENTS);
        expect("apr_pollfd_t.desc", 16, POLLFD_DESC);
        expect("apr_pollfd_t.client_data", 24, POLLFD_CLIENT_DATA);
        expect("sizeof(struct iovec)", 16, IOVEC.byteSize());
        expect("iovec.iov_len", 8, IOVEC_LEN);
        expect("apr_sockaddr_t.port", 24, SOCKADDR_PORT);
        expect("apr_sockaddr_t.family", 28, SOCKADDR_FAMILY);
        expect("sizeof(apr_os_sock_info_t)", 40, OS_SOCK_INFO.byteSize());
        expect("apr_os_sock_info_t.os_sock", 0, OS_SOCK_INFO_OS_SOCK);
        expect("apr_os_sock_info_t.family", 24, OS_SOCK_INFO_FAMILY);
        expect("apr_os_sock_info_t.type", 28, OS_SOCK_INFO_TYPE);
        expect("apr_os_sock_info_t.protocol", 32, OS_SOCK_INFO_PROTOCOL);
    }

    private static void expect(String what, long wanted, long found) {
        if (wanted != found) {
            throw new IllegalStateException(what + " is " + found + " here, and " + wanted + " in APR");
        }
    }
}
