package io.millrace.tls.openssl.binding;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;

/**
 * The native memory of one call into OpenSSL: a memory BIO for ciphertext in each direction, and room for plaintext from arrays
 * or several buffers. Calls lease it from a pool, so that idle connections hold none. It is never freed, because connections
 * refer to it.
 */
final class CallBuffers {

    /** The plaintext of one record. */
    static final int PLAIN = 16 * 1024;

    private static final int RESET = 1;
    private static final int PENDING = 10;

    private static final MethodHandle NEW = OpenSslLibrary.ofLong("BIO_new", JAVA_LONG);
    private static final MethodHandle MEMORY = OpenSslLibrary.ofLong("BIO_s_mem");
    private static final MethodHandle UP_REF = OpenSslLibrary.ofInt("BIO_up_ref", JAVA_LONG);
    private static final MethodHandle SET_READ = OpenSslLibrary.procedure("SSL_set0_rbio", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SET_WRITE = OpenSslLibrary.procedure("SSL_set0_wbio", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CONTROL = OpenSslLibrary.critical(
            "BIO_ctrl", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle WRITE =
            OpenSslLibrary.criticalOnHeap("BIO_write", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS, JAVA_INT));
    private static final MethodHandle READ =
            OpenSslLibrary.criticalOnHeap("BIO_read", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS, JAVA_INT));

    private final long in = memory();
    private final long out = memory();
    private final MemorySegment room = Arena.global().allocate(PLAIN, Long.BYTES);
    private final ByteBuffer plain = room.asByteBuffer();

    private static long memory() {
        try {
            long bio = (long) NEW.invokeExact((long) MEMORY.invokeExact());
            if (bio == 0) {
                throw new OutOfMemoryError("OpenSSL has no memory for a BIO");
            }
            return bio;
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    /** Makes a connection read from here and write to here. */
    void attach(long ssl) {
        try {
            // the connection releases its references to the previous buffers; the pool keeps one
            int ignored = (int) UP_REF.invokeExact(in) + (int) UP_REF.invokeExact(out);
            SET_READ.invokeExact(ssl, in);
            SET_WRITE.invokeExact(ssl, out);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    /** An empty buffer for {@link #PLAIN} bytes of plaintext. */
    ByteBuffer plain() {
        return plain.clear();
    }

    /** The same memory, for the results of calls. */
    MemorySegment room() {
        return room;
    }

    /** Copies the remaining ciphertext for the connection to read. */
    void put(ByteBuffer cipher) {
        int count = cipher.remaining();
        if (count == 0) {
            return;
        }
        int taken;
        try {
            taken = (int) WRITE.invokeExact(in, MemorySegment.ofBuffer(cipher), count);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
        if (taken != count) {
            throw new OutOfMemoryError("OpenSSL has no memory for " + count + " bytes");
        }
        cipher.position(cipher.limit());
    }

    /** The number of bytes of ciphertext that the connection has written. */
    int written() {
        return (int) control(out, PENDING);
    }

    /** Moves ciphertext that the connection has written into the buffer, as far as there is room. */
    void take(ByteBuffer cipher) {
        int taken;
        try {
            taken = (int) READ.invokeExact(out, MemorySegment.ofBuffer(cipher), cipher.remaining());
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
        if (taken > 0) {
            cipher.position(cipher.position() + taken);
        }
    }

    /** Discards ciphertext that a failed connection did not read. */
    void reset() {
        if (control(in, PENDING) > 0) {
            long ignored = control(in, RESET);
        }
    }

    private static long control(long bio, int command) {
        try {
            return (long) CONTROL.invokeExact(bio, command, 0L, 0L);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }
}
