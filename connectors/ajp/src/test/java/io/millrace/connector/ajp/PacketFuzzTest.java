package io.millrace.connector.ajp;

import static io.millrace.connector.ajp.AjpOptions.SECRET_REQUIRED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.fuzz.Mutations;
import io.millrace.http.RequestHead;
import io.millrace.io.Chunk;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpStream;
import io.millrace.settings.Settings;
import io.millrace.testkit.DripConnection;
import io.millrace.testkit.ScriptedConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/**
 * The fuzz target: a method that accepts any output of a front end and checks the invariants. A fuzzer can
 * call it; here it gets its corpus and mutations of it.
 */
class PacketFuzzTest {

    @Test
    void readsAnyPacketsTogetherAsOctetByOctet() {
        Mutations.run(PacketFuzzTest.class, "packets", PacketFuzzTest::fuzz);
    }

    /** Never throws; the size of the pieces has no effect; no buffer is held afterwards. */
    static void fuzz(byte[] input) {
        assertEquals(serve(input, false), serve(input, true));
    }

    /** The requests, and how the connection ended. */
    private static String serve(byte[] input, boolean dripping) {
        ScriptedConnection connection = new ScriptedConnection();
        Echo echo = new Echo();
        AjpProtocol protocol = new AjpProtocol(Settings.DEFAULTS.with(SECRET_REQUIRED, false), "http");
        var top = dripping ? new DripConnection(connection) : connection;
        connection.run(() -> {
            var handler = protocol.open(top, null, echo);
            top.install(handler);
            handler.onReadable();
        });
        connection.receive(input);
        boolean closed = connection.isClosed();
        connection.breakOff();
        assertEquals(0, connection.channel().buffers().outstanding(), "chunks left");
        return echo.seen + (closed ? "closed" : "open") + connection.sent().length();
    }

    /** Reads each body to its end and responds. */
    private static final class Echo implements Dispatcher {
        final StringBuilder seen = new StringBuilder();

        @Override
        public void dispatch(RequestHead request, HttpStream stream) {
            seen.append(request.method()).append(request.target()).append(' ');
            read(stream);
        }

        private void read(HttpStream stream) {
            try {
                Chunk chunk = stream.read();
                while (chunk != null && !chunk.isEnd()) {
                    seen.append(StandardCharsets.ISO_8859_1.decode(chunk.bytes()));
                    chunk.release();
                    chunk = stream.read();
                }
                if (chunk == null) {
                    stream.awaitReadable(() -> read(stream));
                } else {
                    AjpFixture.answer(stream, "ok");
                }
            } catch (IOException e) {
                stream.abort(e);
            }
        }
    }
}
