package io.millrace.testkit;

import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import io.millrace.io.Turns;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.RefusedRequest;
import io.millrace.protocol.mux.FrameWriter;
import io.millrace.protocol.mux.MuxContext;
import io.millrace.protocol.mux.MuxServerConnection;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A connection of {@link PlainFrames} over a script: the test is the peer, and the exchanges. For one thread. */
final class MuxScript implements Dispatcher, AutoCloseable {

    final ScriptedConnection connection;
    final ScriptedTurns turns = new ScriptedTurns();
    final PlainFrames.Reader reader = new PlainFrames.Reader();
    final Map<Integer, HttpStream> streams = new HashMap<>();
    final List<RequestHead> requests = new CopyOnWriteArrayList<>();
    final List<Integer> refused = new ArrayList<>();
    final MuxServerConnection mux;
    private final boolean inPlace;

    /** With these limits; tasks run where they are left. */
    MuxScript(Settings options) {
        this(options, true);
    }

    MuxScript(Settings options, boolean inPlace) {
        this(options, inPlace, new PlainFrames.Writer());
    }

    MuxScript(Settings options, boolean inPlace, FrameWriter writer) {
        this(options, inPlace, writer, new ScriptedConnection(), UnaryOperator.identity());
    }

    /** With layers on the connection. */
    MuxScript(Settings options, UnaryOperator<Connection> layers) {
        this(options, true, new PlainFrames.Writer(), new ScriptedConnection(), layers);
    }

    /** With timers that fire. */
    MuxScript(Settings options, Timers timers) {
        this(options, true, new PlainFrames.Writer(), new ScriptedConnection(timers), UnaryOperator.identity());
    }

    private MuxScript(
            Settings options,
            boolean inPlace,
            FrameWriter writer,
            ScriptedConnection connection,
            UnaryOperator<Connection> layers) {
        this.inPlace = inPlace;
        this.connection = connection;
        Connection top = layers.apply(connection);
        mux = new MuxServerConnection(new MuxContext(options), top, null, this, reader, writer);
        connection.start(mux);
        connection.takeSent();
    }

    @Override
    public void dispatch(RequestHead request, HttpStream stream) {
        requests.add(request);
        streams.put(2 * requests.size() - 1, stream);
    }

    @Override
    public void refused(RefusedRequest request) {
        refused.add(request.status());
    }

    @Override
    public Turns turns() {
        return inPlace ? Runnable::run : turns;
    }

    /** The peer sends a frame. */
    MuxScript receive(char kind, boolean end, int id, byte... payload) {
        connection.receive(PlainFrames.frame(kind, end, id, payload));
        return this;
    }

    /** A request without a body. */
    MuxScript get(int id, String words) {
        return receive('H', true, id, text("GET " + words));
    }

    /** The head of a request with a body. */
    MuxScript post(int id, String words) {
        return receive('H', false, id, text("POST " + words));
    }

    /** A piece of a body. */
    MuxScript data(int id, int length, boolean end) {
        return receive('D', end, id, new byte[length]);
    }

    /** The peer opens a window. */
    MuxScript credit(int id, int bytes) {
        return receive('W', false, id, PlainFrames.number(bytes));
    }

    /** The exchange answers with a body of so many octets, in one piece. */
    Sent answer(int id, int length) {
        return send(id, new ResponseHead(), length, true);
    }

    /** A piece of a response. */
    Sent send(int id, @Nullable ResponseHead head, int length, boolean last) {
        Sent sent = new Sent();
        connection.run(() -> stream(id).send(head, Payload.of(ByteBuffer.allocate(length)), last, sent));
        return sent;
    }

    HttpStream stream(int id) {
        HttpStream stream = streams.get(id);
        if (stream == null) {
            throw new AssertionError("stream " + id + " was not dispatched");
        }
        return stream;
    }

    /** What was sent since the last call. */
    List<String> sent() {
        List<String> frames = PlainFrames.describe(connection.sentBytes());
        connection.takeSent();
        return frames;
    }

    static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Checks that nothing is held. */
    @Override
    public void close() {
        connection.breakOff();
        if (connection.channel().buffers().outstanding() != 0) {
            throw new AssertionError(connection.channel().buffers().outstanding() + " chunks are held");
        }
        if (!reader.closed) {
            throw new AssertionError("the frame reader was not closed");
        }
    }

    /** What became of a piece. */
    static final class Sent implements Completion {
        volatile int count;

        @Nullable
        Throwable failure;

        @Override
        public synchronized void done(@Nullable Throwable why) {
            failure = why;
            count++;
        }

        boolean isDone() {
            return count == 1 && failure == null;
        }
    }
}
