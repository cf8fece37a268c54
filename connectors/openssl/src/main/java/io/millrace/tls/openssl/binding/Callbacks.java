package io.millrace.tls.openssl.binding;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.millrace.natives.NativeLibrary;
import io.millrace.natives.Pointers;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The functions that the library calls during a handshake, one of each per process. None may throw. */
final class Callbacks {

    /** An ALPN callback: {@code int (SSL *, const uchar **out, uchar *outlen, const uchar *in, uint inlen, void *arg)}. */
    static final long CHOOSE_PROTOCOL =
            callback("chooseProtocol", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);

    /** A verify callback: {@code int (int preverified, X509_STORE_CTX *)}. */
    static final long ACCEPT_ANY_CERTIFICATE = callback("acceptAnyCertificate", JAVA_INT, JAVA_LONG);

    /** A status callback: {@code int (SSL *, void *arg)}. */
    static final long STAPLE = callback("staple", JAVA_LONG, JAVA_LONG);

    private static final int OK = 0;
    private static final int FATAL = 2;
    private static final int NOTHING = 3;

    private Callbacks() {}

    private static long callback(String method, MemoryLayout... arguments) {
        FunctionDescriptor type = FunctionDescriptor.of(JAVA_INT, arguments);
        MethodType javaType = type.toMethodType();
        try {
            return NativeLibrary.callback(MethodHandles.lookup().findStatic(Callbacks.class, method, javaType), type)
                    .address();
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** The argument of {@link #CHOOSE_PROTOCOL}: the length of the list, then the names with their lengths. */
    static MemorySegment protocols(List<String> names, Arena arena) {
        byte[] encoded = encoded(names);
        MemorySegment list = arena.allocate(Integer.BYTES + encoded.length, Integer.BYTES);
        list.set(JAVA_INT, 0, encoded.length);
        MemorySegment.copy(encoded, 0, list, JAVA_BYTE, Integer.BYTES, encoded.length);
        return list;
    }

    /** The names, each preceded by its length (RFC 7301, 3.1). */
    static byte[] encoded(List<String> names) {
        ByteBuffer list = ByteBuffer.allocate(
                names.stream().mapToInt(name -> 1 + name.length()).sum());
        for (String name : names) {
            byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
            list.put((byte) bytes.length).put(bytes);
        }
        return list.array();
    }

    /** Selects the server's first protocol that the client offers; without one the handshake fails (RFC 7301, 3.2). */
    @SuppressWarnings("unused") // called by the library
    private static int chooseProtocol(long ssl, long out, long outLength, long in, int inLength, long supported) {
        try {
            int length = Pointers.at(supported, Integer.BYTES).get(JAVA_INT, 0);
            MemorySegment own = Pointers.at(supported + Integer.BYTES, length);
            MemorySegment offered = Pointers.at(in, inLength);
            for (long at = 0; at < length; at += 1L + own.get(JAVA_BYTE, at)) {
                if (contains(offered, own, at)) {
                    Pointers.at(out, Long.BYTES).set(JAVA_LONG, 0, own.address() + at + 1);
                    Pointers.at(outLength, 1).set(JAVA_BYTE, 0, own.get(JAVA_BYTE, at));
                    return OK;
                }
            }
            return FATAL;
        } catch (Throwable anything) {
            return FATAL;
        }
    }

    /** Without a response the handshake continues. */
    @SuppressWarnings("unused") // called by the library
    private static int staple(long ssl, long responses) {
        try {
            return StapledResponses.attach(ssl, responses) ? OK : NOTHING;
        } catch (Throwable anything) {
            return NOTHING;
        }
    }

    private static boolean contains(MemorySegment list, MemorySegment names, long at) {
        long size = 1L + names.get(JAVA_BYTE, at);
        long next = 0;
        while (next < list.byteSize()) {
            int length = list.get(JAVA_BYTE, next) & 0xff;
            if (next + 1 + length > list.byteSize()) {
                return false;
            }
            if (1 + length == size && MemorySegment.mismatch(list, next, next + size, names, at, at + size) < 0) {
                return true;
            }
            next += 1L + length;
        }
        return false;
    }

    /** The handshake proves that the client has the key; the application may check the certificate. */
    @SuppressWarnings("unused") // called by the library
    private static int acceptAnyCertificate(int preverified, long store) {
        return 1;
    }
}
