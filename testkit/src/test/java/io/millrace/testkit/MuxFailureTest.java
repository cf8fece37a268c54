package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ForwardingConnection;
import io.millrace.io.Payload;
import io.millrace.protocol.mux.Batch;
import io.millrace.protocol.mux.Fault;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Errors within a connection of many streams: it is closed, everybody is told, and no half frame is ever sent. */
final class MuxFailureTest {

    private final FailingWriter writer = new FailingWriter();
    private final MuxScript mux = new MuxScript(Settings.DEFAULTS, true, writer);

    /** Runs out of memory within a frame. */
    private static final class FailingWriter extends PlainFrames.Writer {

        private String failing = "";

        private void begin(String frame, Batch to) {
            if (frame.equals(failing)) {
                to.put(new byte[] {1, 2, 3}, 0, 3);
                throw new OutOfMemoryError("planted by the test");
            }
        }

        @Override
        public void head(int id, ResponseHead head, long contentLength, boolean end, Batch to) {
            begin("head", to);
            super.head(id, head, contentLength, end, to);
        }

        @Override
        public void interim(int id, int status, Headers fields, Batch to) {
            begin("interim", to);
            super.interim(id, status, fields, to);
        }

        @Override
        public void reset(int id, Fault fault, Batch to) {
            begin("reset", to);
            super.reset(id, fault, to);
        }

        @Override
        public void ping(long payload, boolean ack, Batch to) {
            begin("ping", to);
            super.ping(payload, ack, to);
        }
    }

    @AfterEach
    void close() {
        mux.close();
    }

    private void isClosedWithoutAFrame() {
        assertTrue(mux.connection.isClosed(), "the connection goes on");
        assertEquals(0, mux.connection.sentBytes().length, "a part of a frame was sent");
    }

    @Test
    void aHeadThatIsCutEndsTheConnectionAndTellsEverybody() {
        List<String> closed = new ArrayList<>();
        mux.get(1, "/").get(3, "/");
        mux.stream(3).onClosed(cause -> closed.add("3"));
        writer.failing = "head";

        MuxScript.Sent sent = mux.answer(1, 5);

        isClosedWithoutAFrame();
        assertEquals(1, sent.count);
        assertNotNull(sent.failure);
        assertEquals(List.of("3"), closed);
        assertFalse(mux.answer(3, 5).isDone());
    }

    /** Nor may what was to be sent next be held for ever. */
    @Test
    void aConnectionThatFailsToCloseKeepsNobodyFromBeingTold() {
        try (MuxScript failing = new MuxScript(Settings.DEFAULTS, NotClosing::new)) {
            failing.get(1, "/").get(3, "/");
            failing.connection.hold();
            MuxScript.Sent first = failing.send(1, new ResponseHead(), 5000, false);
            MuxScript.Sent second = failing.send(3, new ResponseHead(), 5000, false);

            failing.connection.breakOff();

            assertEquals(List.of(1, 1), List.of(first.count, second.count));
        }
    }

    /** Runs out of memory whenever it is closed. */
    private static final class NotClosing extends ForwardingConnection {

        NotClosing(Connection below) {
            super(below);
        }

        @Override
        public void close(@Nullable Throwable cause) {
            super.close(cause);
            throw new OutOfMemoryError("planted by the test");
        }
    }

    @Test
    void aResetThatIsCutTellsItsStreamAllTheSame() {
        List<String> closed = new ArrayList<>();
        mux.get(1, "/");
        mux.stream(1).onClosed(cause -> closed.add("1"));
        writer.failing = "reset";

        mux.connection.run(() -> mux.stream(1).abort(new OutOfMemoryError("of the handler")));

        isClosedWithoutAFrame();
        assertEquals(List.of("1"), closed);
    }

    @Test
    void anInterimResponseThatIsCutEndsTheConnection() {
        mux.get(1, "/");
        writer.failing = "interim";

        mux.connection.run(() -> mux.stream(1).inform(103, new Headers(), Completion.IGNORE));

        isClosedWithoutAFrame();
    }

    @Test
    void anAnswerToAPingThatIsCutEndsTheConnection() {
        writer.failing = "ping";

        mux.receive('P', false, 0, new byte[8]);

        isClosedWithoutAFrame();
    }

    @Test
    void aBodyThatItsOwnerUsesUpMeanwhileEndsTheConnection() {
        mux.get(1, "/").credit(0, 1 << 20).credit(1, 1 << 20);
        mux.connection.hold();
        ByteBuffer body = ByteBuffer.allocate(200_000);
        MuxScript.Sent sent = new MuxScript.Sent();
        mux.connection.run(() -> mux.stream(1).send(new ResponseHead(), Payload.of(body), true, sent));
        body.position(body.limit());

        mux.connection.unhold();

        assertTrue(mux.connection.isClosed());
        assertEquals(1, sent.count);
        assertNotNull(sent.failure);
    }
}
