package io.millrace.tls;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The input half of a TLS connection. Reads what is there below, then decrypts as many records as one chunk holds. Between
 * records it holds nothing.
 */
final class TlsReader {

    /** Key updates, empty records and warnings in a row: more of them than this, in bytes, is an attack. */
    private static final int MOST_SILENT = 64 * 1024;

    private final TlsConnection connection;
    private final Connection below;
    private final TlsEngine engine;
    private final RecordBuffers records;
    private final CipherInput input;

    /** Against the closing thread, which gives back the input's chunks. Held while decrypting, never while reading. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile boolean closed;
    private volatile boolean ended;
    private int silent;

    TlsReader(TlsConnection connection, Connection below, TlsEngine engine, RecordBuffers records, CipherInput input) {
        this.connection = connection;
        this.below = below;
        this.engine = engine;
        this.records = records;
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

    /** Has a whole record come that was not read? Then {@link Connection#awaitReadable} below would wait in vain. */
    boolean hasUnread() {
        if (input.isEmpty()) {
            return false;
        }
        lock.lock();
        try {
            return input.hasRecord();
        } finally {
            lock.unlock();
        }
    }

    boolean isEnded() {
        return ended;
    }

    /** Any thread, once; after the connection below was closed. */
    void close() {
        lock.lock();
        try {
            closed = true;
            input.release();
        } finally {
            lock.unlock();
        }
    }

    /** Null: nothing but the engine's own affairs so far. */
    private @Nullable Chunk decrypt(@Nullable Chunk cipher) throws IOException {
        Chunk plain;
        try {
            plain = decryptLocked(cipher);
        } catch (SSLException broken) {
            connection.flush(); // the alert that says why
            below.close(broken);
            throw broken;
        }
        if (engine.hasOutput()) {
            connection.flush();
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
            return plain == null && ended ? Chunk.END : plain;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The end below without close_notify is the end all the same, as Tomcat and Jetty have it: what a request lacks shows in
     * its framing (RFC 9112, 9.8), and many clients just go.
     */
    private void take(@Nullable Chunk cipher) throws IOException {
        if (cipher == null) {
            return;
        }
        if (cipher.isEnd()) {
            end();
        } else {
            input.add(cipher, below.buffers());
        }
    }

    private @Nullable Chunk decryptRecords() throws IOException {
        if (!input.hasRecord()) {
            return null;
        }
        Chunk plain = below.buffers().lease();
        ByteBuffer scratch = records.take();
        boolean keep = false;
        try {
            decryptRecords(plain.bytes(), scratch);
            keep = plain.bytes().flip().hasRemaining();
        } finally {
            records.giveBack(scratch);
            if (!keep) {
                plain.release();
            }
        }
        return keep ? plain : null;
    }

    private void decryptRecords(ByteBuffer plain, ByteBuffer scratch) throws SSLException {
        while (plain.position() == 0 || input.recordLength() <= plain.remaining()) {
            ByteBuffer record = input.record(scratch);
            if (record == null) {
                return;
            }
            int before = record.remaining();
            int plainBefore = plain.position();
            TlsEngine.Status status = engine.unwrap(record, plain);
            int used = before - record.remaining();
            input.used();
            if (status == TlsEngine.Status.CLOSED) {
                end();
                return;
            }
            countSilent(used, plain.position() - plainBefore);
            runTasks(status);
            if (used == 0) {
                return;
            }
        }
    }

    private void countSilent(int used, int decrypted) throws SSLException {
        silent = decrypted > 0 ? 0 : silent + used;
        if (silent > MOST_SILENT) {
            throw new SSLException("more than " + MOST_SILENT + " bytes of records without a byte of content");
        }
    }

    /** After the handshake they are small. */
    private void runTasks(TlsEngine.Status status) {
        if (status == TlsEngine.Status.NEEDS_TASK) {
            for (Runnable task = engine.takeTask(); task != null; task = engine.takeTask()) {
                task.run();
            }
        }
    }

    private void end() {
        ended = true;
        input.release();
    }

    private static void release(@Nullable Chunk chunk) {
        if (chunk != null) {
            chunk.release();
        }
    }
}
