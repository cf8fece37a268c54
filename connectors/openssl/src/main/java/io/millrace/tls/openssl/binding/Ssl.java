package io.millrace.tls.openssl.binding;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * SSL: one connection of a server, which does no I/O, but converts between plaintext and ciphertext. Thread-safe; a lock
 * serializes the calls. Calls after {@link #close} throw an exception; a call in progress finishes and then frees the SSL.
 *
 * <p>Output that is produced by reading (handshake messages, alerts, key updates) is kept until the next {@link #write}, and
 * so is the rest of a record for which there was no room.
 */
public class Ssl implements AutoCloseable {

    /** The result of a call. */
    public enum Outcome {
        /** The call made progress. */
        DONE,
        /** The call needs more ciphertext. */
        WANTS_INPUT,
        /** This direction has ended. */
        CLOSED
    }

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final ReentrantLock lock = new ReentrantLock();
    private final SslContext context;
    private final byte[] mark;
    private volatile boolean closing;
    private volatile boolean outputPending;
    private volatile boolean established;
    private volatile @Nullable NegotiatedSession facts;

    // guarded by the lock

    private long ssl;
    private @Nullable CallBuffers attached;
    private ByteBuffer pendingOutput = NOTHING;
    private boolean ended;
    private boolean broken;

    /**
     * Creates a connection before its handshake.
     *
     * @param mark a random id that identifies a new session whenever it is resumed
     * @throws ClosedChannelException if the context is closed
     */
    public Ssl(SslContext context, byte[] mark) throws ClosedChannelException {
        this.context = context;
        this.mark = mark;
        ssl = context.enter();
        OpenSsl.CONNECTIONS.incrementAndGet();
    }

    /** Continues the handshake with a record of the peer. */
    public Outcome handshake(ByteBuffer record) throws IOException {
        CallBuffers buffers = enter();
        try {
            buffers.put(record);
            Errors.clear();
            int result = SslCalls.doHandshake(ssl);
            if (result == 1) {
                facts = completed(buffers);
                established = true;
                return Outcome.DONE;
            }
            Outcome outcome = outcome(result);
            if (outcome == Outcome.WANTS_INPUT) {
                onHandshakePaused(buffers.room());
            }
            return outcome;
        } finally {
            leave(buffers);
        }
    }

    private NegotiatedSession completed(CallBuffers buffers) throws SSLException {
        boolean accepted = false;
        try {
            NegotiatedSession made = complete(buffers.room());
            accepted = true;
            return made;
        } finally {
            broken = !accepted;
        }
    }

    /**
     * Called at the end of a handshake.
     *
     * @param room memory for results
     * @throws SSLException if the peer is rejected
     */
    NegotiatedSession complete(MemorySegment room) throws SSLException {
        return NegotiatedSession.ofServer(ssl, mark, room);
    }

    /** Called during a handshake, before the peer's next message. */
    void onHandshakePaused(MemorySegment room) {
        NegotiatedSession.mark(ssl, mark, room); // before a ticket is created from the session
    }

    /** Called after a record without application data. */
    void onOtherRecord() {
        // nothing to do on servers
    }

    /** The peer's role, for messages. */
    String peer() {
        return "client";
    }

    byte[] mark() {
        return mark;
    }

    /** The address of the library's object. */
    long address() {
        return ssl;
    }

    /** Sets up the library's object, which is not freed meanwhile. */
    interface Setup {
        void run(long ssl) throws SSLException;
    }

    /** Runs the setup before the handshake. */
    void prepare(Setup setup) throws IOException {
        CallBuffers buffers = enter();
        try {
            setup.run(ssl);
        } finally {
            leave(buffers);
        }
    }

    /** Decrypts one record; {@link Outcome#WANTS_INPUT} if it had no application data. */
    public Outcome read(ByteBuffer record, ByteBuffer plain) throws IOException {
        CallBuffers buffers = enter();
        try {
            buffers.put(record);
            boolean inPlace = plain.isDirect();
            ByteBuffer target = inPlace ? plain : buffers.plain();
            int room = Math.min(target.remaining(), plain.remaining());
            Errors.clear();
            int count = SslCalls.read(ssl, MemorySegment.ofBuffer(target).address(), room);
            if (count <= 0) {
                Outcome outcome = outcome(count);
                if (outcome == Outcome.WANTS_INPUT) {
                    onOtherRecord();
                }
                return outcome;
            }
            if (inPlace) {
                plain.position(plain.position() + count);
            } else {
                plain.put(target.limit(count));
            }
            return Outcome.DONE;
        } finally {
            leave(buffers);
        }
    }

    /** Returns pending output, as far as there is room; if there is none, encrypts at most one record of plaintext. */
    public Outcome write(ByteBuffer[] plain, ByteBuffer cipher) throws IOException {
        CallBuffers buffers = enter();
        try {
            if (outputPending) {
                drain(cipher);
                return ended && !outputPending ? Outcome.CLOSED : Outcome.DONE;
            }
            if (ended || broken) {
                return Outcome.CLOSED;
            }
            return encrypt(plain, cipher, buffers);
        } finally {
            leave(buffers);
        }
    }

    private Outcome encrypt(ByteBuffer[] plain, ByteBuffer cipher, CallBuffers buffers) throws SSLException {
        ByteBuffer single = PlainBytes.single(plain);
        int count;
        long address;
        if (single == null) {
            count = PlainBytes.gather(plain, buffers.plain());
            address = buffers.room().address();
        } else {
            count = Math.min(single.remaining(), CallBuffers.PLAIN);
            address = MemorySegment.ofBuffer(single).address();
        }
        if (count == 0) {
            return Outcome.DONE;
        }
        Errors.clear();
        int written = SslCalls.write(ssl, address, count);
        if (written <= 0) {
            return outcome(written);
        }
        PlainBytes.advance(plain, written);
        buffers.take(cipher);
        return Outcome.DONE;
    }

    /** Ends the output with close_notify, if the handshake is complete. No effect once closed. */
    public void end() {
        CallBuffers buffers;
        try {
            buffers = enter();
        } catch (ClosedChannelException gone) {
            return;
        }
        try {
            if (!ended && !broken && established) {
                Errors.clear();
                int sent = SslCalls.shutdown(ssl);
                broken = sent < 0;
            }
            ended = true;
        } finally {
            leave(buffers);
        }
    }

    /** Whether {@link #write} has pending output, without any plaintext. */
    public boolean hasOutput() {
        return outputPending;
    }

    /** Whether the handshake is complete. */
    public boolean isEstablished() {
        return established;
    }

    /** The negotiated session; null before the handshake is complete. */
    public @Nullable NegotiatedSession facts() {
        return facts;
    }

    private Outcome outcome(int result) throws SSLException {
        return switch (SslCalls.error(ssl, result)) {
            case SslCalls.WANT_READ -> Outcome.WANTS_INPUT;
            case SslCalls.ZERO_RETURN -> Outcome.CLOSED;
            case SslCalls.ERROR_SSL -> throw fail(Errors.failure(ssl, peer()));
            default -> throw fail(new SSLException("the TLS connection failed: " + Errors.drain()));
        };
    }

    /** Excludes further calls of the library. */
    private SSLException fail(SSLException why) {
        broken = true;
        return why;
    }

    private CallBuffers enter() throws ClosedChannelException {
        lock.lock();
        if (ssl == 0) {
            lock.unlock();
            throw new ClosedChannelException();
        }
        CallBuffers buffers = CallBufferPool.lease();
        if (buffers != attached) {
            attached = buffers;
            buffers.attach(ssl);
        }
        return buffers;
    }

    private void leave(CallBuffers buffers) {
        boolean empty = false;
        try {
            collect(buffers);
            buffers.reset();
            empty = true;
        } finally {
            if (empty) {
                CallBufferPool.release(buffers);
            } else {
                broken = true; // its output remains in the buffers, which are not reused
            }
            lock.unlock();
            if (closing) {
                free();
            }
        }
    }

    /** Keeps output that the caller has not taken. */
    private void collect(CallBuffers buffers) {
        int more = buffers.written();
        if (more == 0) {
            return;
        }
        ByteBuffer all = ByteBuffer.allocate(pendingOutput.remaining() + more);
        all.put(pendingOutput);
        buffers.take(all);
        pendingOutput = all.flip();
        outputPending = true;
    }

    private void drain(ByteBuffer cipher) {
        int count = Math.min(pendingOutput.remaining(), cipher.remaining());
        cipher.put(cipher.position(), pendingOutput, pendingOutput.position(), count);
        cipher.position(cipher.position() + count);
        pendingOutput.position(pendingOutput.position() + count);
        if (!pendingOutput.hasRemaining()) {
            pendingOutput = NOTHING;
            outputPending = false;
        }
    }

    /** Thread-safe and idempotent. */
    @Override
    public void close() {
        closing = true;
        free();
    }

    /** Frees the SSL, unless a call is in progress, which then does it at its end. */
    private void free() {
        if (!lock.tryLock()) {
            return;
        }
        try {
            if (ssl != 0) {
                SslCalls.free(ssl);
                ssl = 0;
                attached = null;
                pendingOutput = NOTHING;
                outputPending = false;
                OpenSsl.CONNECTIONS.decrementAndGet();
                context.leave();
            }
        } finally {
            lock.unlock();
        }
    }
}
