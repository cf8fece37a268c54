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

/** What the library calls in the middle of a handshake: a function for each purpose, once in a process. None may throw. */
final class Callbacks {

    /** An ALPN callback: {@code int (SSL *, const uchar **out, uchar *outlen, const uchar *in, uint inlen, void *arg)}. */
    static final long CHOOSE_PROTOCOL =
            callback("chooseProtocol", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);

    /** A verify callback: {@code int (int preverified, X509_STORE_CTX *)}. */
    static final long TAKE_ANY_CERTIFICATE = callback("takeAnyCertificate", JAVA_INT, JAVA_LONG);

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

    /** What {@link #CHOOSE_PROTOCOL} is given as its argument: a length, then names with their lengths. */
    static MemorySegment protocols(List<String> names, Arena arena) {
        byte[] listed = listed(names);
        MemorySegment list = arena.allocate(Integer.BYTES + listed.length, Integer.BYTES);
        list.set(JAVA_INT, 0, listed.length);
        MemorySegment.copy(listed, 0, list, JAVA_BYTE, Integer.BYTES, listed.length);
        return list;
    }

    /** Names, each with its length before it (RFC 7301, 3.1). */
    static byte[] listed(List<String> names) {
        ByteBuffer list = ByteBuffer.allocate(
                names.stream().mapToInt(name -> 1 + name.length()).sum());
        for (String name : names) {
            byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
            list.put((byte) bytes.length).put(bytes);
        }
        return list.array();
    }

    /** The first of ours that the client has too; with none in common the handshake fails (RFC 7301, 3.2). */
    @SuppressWarnings("unused") // called by the library
    private static int chooseProtocol(long ssl, long out, long outLength, long in, int inLength, long ours) {
        try {
            int length = Pointers.at(ours, Integer.BYTES).get(JAVA_INT, 0);
            MemorySegment mine = Pointers.at(ours + Integer.BYTES, length);
            MemorySegment theirs = Pointers.at(in, inLength);
            for (long at = 0; at < length; at += 1L + mine.get(JAVA_BYTE, at)) {
                if (contains(theirs, mine, at)) {
                    Pointers.at(out, Long.BYTES).set(JAVA_LONG, 0, mine.address() + at + 1);
                    Pointers.at(outLength, 1).set(JAVA_BYTE, 0, mine.get(JAVA_BYTE, at));
                    return OK;
                }
            }
            return FATAL;
        } catch (Throwable anything) {
            return FATAL;
        }
    }

    /** A handshake goes on without. */
    @SuppressWarnings("unused") // called by the library
    private static int staple(long ssl, long responses) {
        try {
            return StapledResponses.give(ssl, responses) ? OK : NOTHING;
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

    /** That the client has the key is proven by the handshake; who it is, nobody asks here. */
    @SuppressWarnings("unused") // called by the library
    private static int takeAnyCertificate(int preverified, long store) {
        return 1;
    }
}
