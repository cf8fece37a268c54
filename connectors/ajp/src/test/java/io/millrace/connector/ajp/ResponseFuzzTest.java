package io.millrace.connector.ajp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.client.ClientRequest;
import io.millrace.client.ClientSession;
import io.millrace.client.SessionListener;
import io.millrace.fuzz.Mutations;
import io.millrace.http.Headers;
import io.millrace.io.Completion;
import io.millrace.io.ConnectionInfo;
import io.millrace.settings.Settings;
import io.millrace.testkit.ClientTranscript;
import io.millrace.testkit.DripConnection;
import io.millrace.testkit.ScriptedConnection;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The fuzz target of the client: a method that accepts any output of a server and checks the invariants. A fuzzer
 * can call it; here it gets its corpus and mutations of it.
 */
class ResponseFuzzTest {

    private static final Settings OPTIONS = Settings.DEFAULTS.with(AjpOptions.SECRET, "s");

    @Test
    void readsAnyPacketsTogetherAsOctetByOctet() {
        Mutations.run(ResponseFuzzTest.class, "responses", ResponseFuzzTest::fuzz);
    }

    /**
     * Never throws; the size of the pieces only affects how much of a malformed response is passed on before it is aborted;
     * no buffer is held afterwards.
     */
    static void fuzz(byte[] input) {
        assertEquals(ask(input, false), ask(input, true));
    }

    private static String ask(byte[] input, boolean dripping) {
        ScriptedConnection connection = new ScriptedConnection();
        var top = dripping ? new DripConnection(connection) : connection;
        ClientTranscript transcript = new ClientTranscript();
        connection.run(() -> {
            AjpClient client = new AjpClient(OPTIONS, Duration.ofSeconds(60), Duration.ofSeconds(15));
            ClientSession session = client.open(top, new Nobody());
            var stream =
                    session.start(new ClientRequest("POST", "/", new Headers().add("Host", "x"), -1, null), transcript);
            if (stream != null) {
                stream.send(ByteBuffer.wrap(new byte[100]), false, Completion.IGNORE);
            }
        });
        connection.receive(input);
        connection.receiveEnd();
        connection.breakOff();
        assertEquals(0, connection.channel().buffers().outstanding(), "chunks left");
        String seen = transcript.text();
        return (seen.endsWith("END") ? seen : "no whole response")
                + connection.sent().length();
    }

    private static final class Nobody implements SessionListener {
        @Override
        public void onIdle(ClientSession session, @Nullable ConnectionInfo client) {}

        @Override
        public void onClosed(ClientSession session) {}
    }
}
