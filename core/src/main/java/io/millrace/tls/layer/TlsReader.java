package io.millrace.tls.layer;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.tls.TlsEngine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The input half of a TLS connection. Reads from the connection below, and decrypts as many records as fit one chunk. Holds no
 * buffer between records.
 */
final class TlsReader {

    /** The maximum number of bytes of consecutive records without content: key updates, empty records, warnings. More are an attack. */
    private static final int MAX_SILENT = 64 * 1024;

    private final TlsConnection connection;
    private final Connection below;
    private final TlsEngine engine;
    private final CipherInput input;

    /** Excludes the closing thread, which releases the input. Held while decrypting, never while reading. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile boolean closed;
    private volatile boolean ended;

    /** Guarded by the lock. */
    private boolean truncated;

    private int silent;

    TlsReader(TlsConnection connection, Connection below, TlsEngine engine, CipherInput input) {
        this.connection = connection;
        this.below = below;
        this.engine = engine;
        this.input = input;
    }

    @Nullable
    Chunk read() throws IOException {
        Chunk plain = ended || !input.isEmpty() ? decrypt(null) : null;
        while (plain == null) {
            Chunk cipher = below.read();
            if (cipher == null) {
                return null;
            }
            plain = decrypt(cipher);
        }
        if (plain.isEnd()) {
            connection.directionEnded();
        }
        return plain;
    }

    /** Whether a complete record is buffered. {@link Connection#awaitReadable} of the connection below would then wait in vain. */
    boolean hasUnread() {
        if (input.isEmpty()) {
            return false;
        }
        lock.lock();
        try {
            return input.wholeRecord() > 0;
        } finally {
            lock.unlock();
        }
    }

    boolean isEnded() {
        return ended;
    }

    /** Called once, by any thread, after the connection below was closed. */
    void close() {
        lock.lock();
        try {
            closed = true;
            input.release();
        } finally {
            lock.unlock();
        }
    }

    /** Null if there was no application data. */
    private @Nullable Chunk decrypt(@Nullable Chunk cipher) throws IOException {
        Chunk plain;
        try {
            plain = decryptLocked(cipher);
        } catch (SSLException broken) {
            connection.flush(); // sends the alert
            below.close(broken);
            throw broken;
        }
        if (engine.hasOutput()) {
            connection.flushBesideReading();
        }
        return plain;
    }

    private @Nullable Chunk decryptLocked(@Nullable Chunk cipher) throws IOException {
        lock.lock();
        try {
            if (closed) {
                release(cipher);
                throw new IOException("the connection is closed");
            }
            take(cipher);
            Chunk plain = ended ? null : decryptRecords();
            return plain == null && ended ? end(truncated) : plain;
        } finally {
            lock.unlock();
        }
    }

    /**
     * An end without close_notify is an end, too, because many clients do not send close_notify, but a marked one: where only the end
     * of the connection ends a message, it was truncated (RFC 9112, 9.8).
     */
    private void take(@Nullable Chunk cipher) throws IOException {
        if (cipher == null) {
            return;
        }
        if (cipher.isEnd()) {
            truncated = !ended;
            end();
        } else {
            input.add(cipher, below.channel().buffers());
        }
    }

    /** The record is removed first, so that the pool can lease its chunk again while that is in the processor's cache. */
    private @Nullable Chunk decryptRecords() throws IOException {
        int length = input.wholeRecord();
        Chunk plain = null;
        boolean keep = false;
        try {
            while (length > 0 && hasRoom(plain, length)) {
                ByteBuffer record = input.record(length);
                if (plain == null) {
                    plain = below.channel().buffers().lease();
                }
                length = decrypt(record, plain.bytes()) ? input.wholeRecord() : 0;
            }
            keep = plain != null && plain.bytes().flip().hasRemaining();
        } finally {
            input.used();
            if (!keep) {
                release(plain);
            }
        }
        return keep ? plain : null;
    }

    private static boolean hasRoom(@Nullable Chunk plain, int length) {
        return plain == null
                || plain.bytes().position() == 0
                || length <= plain.bytes().remaining();
    }

    /** False if nothing more can be decrypted now. */
    private boolean decrypt(ByteBuffer record, ByteBuffer plain) throws SSLException {
        int before = record.remaining();
        int plainBefore = plain.position();
        TlsEngine.Status status = engine.unwrap(record, plain);
        int used = before - record.remaining();
        if (status == TlsEngine.Status.CLOSED) {
            end();
            return false;
        }
        countSilent(used, plain.position() - plainBefore);
        if (status == TlsEngine.Status.NEEDS_TASK) {
            runTasks();
        }
        return used > 0;
    }

    private void countSilent(int used, int decrypted) throws SSLException {
        silent = decrypted > 0 ? 0 : silent + used;
        if (silent > MAX_SILENT) {
            throw new SSLException("more than " + MAX_SILENT + " bytes of records without content");
        }
    }

    /** Runs tasks in place: after the handshake they are short. */
    private void runTasks() {
        for (Runnable task = engine.takeTask(); task != null; task = engine.takeTask()) {
            task.run();
        }
    }

    private void end() {
        ended = true;
        input.release();
    }

    private static Chunk end(boolean truncated) {
        return truncated ? Chunk.TRUNCATED_END : Chunk.END;
    }

    private static void release(@Nullable Chunk chunk) {
        if (chunk != null) {
            chunk.release();
        }
    }
}
