package io.millrace.testkit;

import static io.millrace.protocol.ProtocolOptions.CONNECTION_TIMEOUT;
import static io.millrace.protocol.ProtocolOptions.KEEP_ALIVE_TIMEOUT;

import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.Chunk;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import io.millrace.io.Turns;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.RefusedRequest;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** An HTTP/1.1 connection in memory, and what a test looks at. */
final class Http1Fixture implements Dispatcher, AutoCloseable {

    static final Settings OPTIONS = Settings.DEFAULTS
            .with(CONNECTION_TIMEOUT, Duration.ofSeconds(20))
            .with(KEEP_ALIVE_TIMEOUT, Duration.ofSeconds(5));

    /** A request, with a number to be formatted in. */
    static final String GET = "GET /%d HTTP/1.1~Host: h~~";

    private final Timers timers = new Timers("test-timers");
    final ScriptedConnection connection = new ScriptedConnection(timers);
    final List<RequestHead> requests = new ArrayList<>();
    final List<Integer> refusals = new ArrayList<>();
    final ScriptedTurns turns = new ScriptedTurns();
    private final BiConsumer<RequestHead, HttpStream> server;

    Http1Fixture(Settings options, BiConsumer<RequestHead, HttpStream> server) {
        this.server = server;
        Http1Protocol protocol = new Http1Protocol(options, "http");
        ConnectionHandler handler = protocol.open(connection, null, this);
        connection.start(handler);
    }

    /** Answers each request with its path. */
    static Http1Fixture echoingPaths(Settings options) {
        return new Http1Fixture(
                options, (request, stream) -> answer(stream, request.path().decoded()));
    }

    static void answer(HttpStream stream, String body) {
        Payload payload = Payload.of(ByteBuffer.wrap(body.getBytes(StandardCharsets.ISO_8859_1)));
        stream.send(new ResponseHead(), payload, true, failed -> stream.end());
    }

    /** What there is of a body. */
    static String readAll(HttpStream stream) {
        try {
            StringBuilder body = new StringBuilder();
            for (Chunk chunk = stream.read(); chunk != null && !chunk.isEnd(); chunk = stream.read()) {
                body.append(StandardCharsets.ISO_8859_1.decode(chunk.bytes()));
                chunk.release();
            }
            return body.toString();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void dispatch(RequestHead request, HttpStream stream) {
        requests.add(request);
        server.accept(request, stream);
    }

    @Override
    public Turns turns() {
        return turns;
    }

    @Override
    public void refused(RefusedRequest request) {
        refusals.add(request.status());
    }

    /** What was sent since the last call, without dates, a tilde for each end of line. */
    String sent() {
        return connection.takeSent().replaceAll("Date: [^\r]*\r\n", "").replace("\r\n", "~");
    }

    void receive(String picture) {
        connection.receive(picture.replace("~", "\r\n"));
    }

    @Override
    public void close() {
        timers.close();
        Deadline.await(
                "all chunks to be released",
                () -> connection.channel().buffers().outstanding() == 0);
    }
}
