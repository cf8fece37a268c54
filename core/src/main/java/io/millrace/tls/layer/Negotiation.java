package io.millrace.tls.layer;

import io.millrace.tls.TlsEngine;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The handshake of an engine, step by step. Confined to the thread that runs the {@link TlsHandshake}. */
final class Negotiation {

    /** The next action. */
    enum Next {
        /** Another step. */
        STEP,
        /** More input is needed, then another step. */
        INPUT,
        /** Output is blocked: the peer must read before it sends more. */
        PEER,
        /** A long computation, which the next step runs, on a worker. */
        COMPUTATION,
        /** The handshake is complete. */
        NOTHING
    }

    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

    private final TlsConnection connection;
    private final TlsEngine engine;
    private final CipherInput input;
    private @Nullable Runnable computation;

    Negotiation(TlsConnection connection, CipherInput input) {
        this.connection = connection;
        this.engine = connection.engine();
        this.input = input;
    }

    TlsConnection connection() {
        return connection;
    }

    /** @throws SSLException if the peer violated the protocol; its alert must still be sent */
    Next step() throws IOException {
        Runnable task = computation;
        if (task != null) {
            computation = null;
            task.run();
            // throws the failure of the task, before its alert is sent
            engine.unwrap(EMPTY.duplicate(), EMPTY.duplicate());
        }
        if (engine.hasOutput()) {
            connection.flush();
            if (engine.hasOutput()) {
                return Next.PEER;
            }
        }
        if (!engine.isHandshaking()) {
            return Next.NOTHING;
        }
        computation = engine.takeTask();
        if (computation != null) {
            return Next.COMPUTATION;
        }
        int length = input.wholeRecord();
        if (length == 0) {
            return Next.INPUT;
        }
        unwrap(input.record(length));
        return Next.STEP;
    }

    private void unwrap(ByteBuffer record) throws IOException {
        int before = record.remaining();
        TlsEngine.Status status;
        try {
            status = engine.unwrap(record, EMPTY.duplicate());
        } finally {
            input.used();
        }
        boolean stuck = record.remaining() == before && status == TlsEngine.Status.NEEDS_INPUT;
        if (stuck || status == TlsEngine.Status.NEEDS_ROOM) {
            throw new SSLException("the peer sent a record that is not part of a handshake");
        }
        if (status == TlsEngine.Status.CLOSED) {
            throw new EOFException("the peer closed the connection");
        }
    }
}
