package io.millrace.tls.openssl.binding;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * SSL: one connection, a server's, which does no I/O but takes and gives cipher bytes. Any thread; they take turns. Whoever
 * comes after the {@link #close} gets an exception, and whoever is inside then is let finish: the last one out frees it.
 *
 * <p>What it has to say while it reads (handshake messages, alerts, key updates) waits here until it is asked to write, and
 * so does what a record has more than there was room for.
 */
public class Ssl implements AutoCloseable {

    /** What a call came to. */
    public enum Outcome {
        /** It did what was asked. */
        DONE,
        /** Nothing more to be had without further cipher bytes. */
        WANTS_INPUT,
        /** This direction has ended. */
        CLOSED
    }

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final ReentrantLock lock = new ReentrantLock();
    private final SslContext context;
    private final byte[] mark;
    private volatile boolean closing;
    private volatile boolean due;
    private volatile boolean established;
    private volatile @Nullable NegotiatedSession facts;

    // guarded by the lock

    private long ssl;
    private @Nullable CallBuffers attached;
    private ByteBuffer waiting = NOTHING;
    private boolean ended;
    private boolean broken;

    /**
     * A connection that has not begun.
     *
     * @param mark by which a session is known for as long as it is resumed, at random
     * @throws ClosedChannelException if the context is closed
     */
    public Ssl(SslContext context, byte[] mark) throws ClosedChannelException {
        this.context = context;
        this.mark = mark;
        ssl = context.enter();
        OpenSsl.CONNECTIONS.incrementAndGet();
    }

    /** Goes on with the handshake by one record of the client. */
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
                pause(buffers.room());
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

    // ---- what a client does otherwise, under the lock

    /**
     * At the end of a handshake.
     *
     * @param room for results
     * @throws SSLException if the peer must not be talked to
     */
    NegotiatedSession complete(MemorySegment room) throws SSLException {
        return NegotiatedSession.ofServer(ssl, mark, room);
    }

    /** Within a handshake, before the peer's next message. */
    void pause(MemorySegment room) {
        NegotiatedSession.mark(ssl, mark, room); // before a ticket is made of the session
    }

    /** After a record that had nothing for the application. */
    void tend() {
        // a server's clients have nothing to tell
    }

    /** Who is at the other end. */
    String peer() {
        return "client";
    }

    byte[] mark() {
        return mark;
    }

    /** The library's object. */
    long address() {
        return ssl;
    }

    /** Runs something with the library's object, which stays meanwhile. */
    interface Setup {
        void run(long ssl) throws SSLException;
    }

    /** Before the handshake. */
    void prepare(Setup setup) throws IOException {
        CallBuffers buffers = enter();
        try {
            setup.run(ssl);
        } finally {
            leave(buffers);
        }
    }

    /** Decrypts one record; {@link Outcome#WANTS_INPUT} if it had nothing for the application. */
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
                    tend();
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

    /** Gives what waits to be sent, as far as there is room; or else encrypts one record's worth of what is to be sent. */
    public Outcome write(ByteBuffer[] plain, ByteBuffer cipher) throws IOException {
        CallBuffers buffers = enter();
        try {
            if (due) {
                drain(cipher);
                return ended && !due ? Outcome.CLOSED : Outcome.DONE;
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

    /** No more output: close_notify is to be sent, if the handshake got that far. Nothing if closed. */
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

    /** True if there is something to {@link #write}, whatever the application has to say. */
    public boolean hasOutput() {
        return due;
    }

    /** True when the handshake is complete. */
    public boolean isEstablished() {
        return established;
    }

    /** What was agreed on; null before the handshake is complete. */
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

    /** Nothing may be asked of it any more. */
    private SSLException fail(SSLException why) {
        broken = true;
        return why;
    }

    // ---- in and out, under the lock

    private CallBuffers enter() throws ClosedChannelException {
        lock.lock();
        if (ssl == 0) {
            lock.unlock();
            throw new ClosedChannelException();
        }
        CallBuffers buffers = CallBufferPool.take();
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
                CallBufferPool.giveBack(buffers);
            } else {
                broken = true; // what it wrote stays in the buffers, which are not used again
            }
            lock.unlock();
            if (closing) {
                free();
            }
        }
    }

    /** What was written and did not go out at once. */
    private void collect(CallBuffers buffers) {
        int more = buffers.written();
        if (more == 0) {
            return;
        }
        ByteBuffer all = ByteBuffer.allocate(waiting.remaining() + more);
        all.put(waiting);
        buffers.take(all);
        waiting = all.flip();
        due = true;
    }

    private void drain(ByteBuffer cipher) {
        int count = Math.min(waiting.remaining(), cipher.remaining());
        cipher.put(cipher.position(), waiting, waiting.position(), count);
        cipher.position(cipher.position() + count);
        waiting.position(waiting.position() + count);
        if (!waiting.hasRemaining()) {
            waiting = NOTHING;
            due = false;
        }
    }

    /** Any thread, any number of times. */
    @Override
    public void close() {
        closing = true;
        free();
    }

    /** Unless somebody is inside, who does it on leaving. */
    private void free() {
        if (!lock.tryLock()) {
            return;
        }
        try {
            if (ssl != 0) {
                SslCalls.free(ssl);
                ssl = 0;
                attached = null;
                waiting = NOTHING;
                due = false;
                OpenSsl.CONNECTIONS.decrementAndGet();
                context.leave();
            }
        } finally {
            lock.unlock();
        }
    }
}
