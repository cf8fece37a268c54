package io.millrace.connector.ajp;

import static io.millrace.connector.ajp.AjpOptions.SECRET_REQUIRED;
import static io.millrace.protocol.ProtocolOptions.CONNECTION_TIMEOUT;
import static io.millrace.protocol.ProtocolOptions.KEEP_ALIVE_TIMEOUT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.io.FrontEnd;
import io.millrace.io.Payload;
import io.millrace.io.Turns;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.RefusedRequest;
import io.millrace.settings.Settings;
import io.millrace.testkit.AjpPacket;
import io.millrace.testkit.ScriptedConnection;
import io.millrace.testkit.ScriptedTurns;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** An AJP connection in memory, with its requests and responses. */
final class AjpFixture implements Dispatcher, AutoCloseable {

    static final String END = "[END 1]";

    final ScriptedConnection connection = new ScriptedConnection();
    final List<RequestHead> requests = new ArrayList<>();
    final List<HttpStream> streams = new ArrayList<>();
    final List<Integer> refusals = new ArrayList<>();
    final ScriptedTurns turns = new ScriptedTurns();
    private final boolean answering;

    AjpFixture() {
        this(options -> options, true);
    }

    AjpFixture(UnaryOperator<Settings> change, boolean answering) {
        this.answering = answering;
        Settings options = Settings.DEFAULTS
                .with(SECRET_REQUIRED, false)
                .with(CONNECTION_TIMEOUT, Duration.ofSeconds(20))
                .with(KEEP_ALIVE_TIMEOUT, Duration.ofSeconds(5));
        connection.start(new AjpProtocol(change.apply(options), "http").open(connection, null, this));
    }

    /** A GET of this path, to which attributes can be added. */
    static AjpPacket get(String path) {
        return AjpPacket.request(2, "HTTP/1.1", path, new Headers().add("host", "h"));
    }

    static AjpPacket post(String path, long length) {
        Headers headers = new Headers().add("host", "h").add("content-length", Long.toString(length));
        return AjpPacket.request(4, "HTTP/1.1", path, headers);
    }

    static void answer(HttpStream stream, String body) {
        Payload payload = Payload.of(ByteBuffer.wrap(body.getBytes(StandardCharsets.ISO_8859_1)));
        stream.send(new ResponseHead(), payload, true, failed -> stream.end());
    }

    @Override
    public void dispatch(RequestHead request, HttpStream stream) {
        requests.add(request);
        streams.add(stream);
        if (answering) {
            answer(stream, request.path().decoded());
        }
    }

    @Override
    public void refused(RefusedRequest request) {
        refusals.add(request.status());
    }

    @Override
    public Turns turns() {
        return turns;
    }

    HttpStream stream() {
        return streams.get(streams.size() - 1);
    }

    RequestHead request() {
        return requests.get(requests.size() - 1);
    }

    FrontEnd frontEnd() {
        FrontEnd said = stream().channel().info().frontEnd();
        if (said == null) {
            throw new AssertionError("nothing was said");
        }
        return said;
    }

    void receive(byte[] bytes) {
        connection.receive(bytes);
    }

    /** The packets that were sent since the last call. */
    String sent() {
        return PacketNames.of(connection.takeSent().getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void close() {
        assertEquals(0, connection.channel().buffers().outstanding(), "chunks left");
    }
}
