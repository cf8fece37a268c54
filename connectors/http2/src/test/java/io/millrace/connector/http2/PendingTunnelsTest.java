package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.client.ClientException;
import io.millrace.client.ClientRequest;
import io.millrace.client.ClientScheme;
import io.millrace.client.ClientSession;
import io.millrace.client.ClientStream;
import io.millrace.client.ResponseListener;
import io.millrace.client.SessionListener;
import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.settings.Settings;
import io.millrace.testkit.ScriptedConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Requests for tunnels that wait for the settings of their server. They … */
final class PendingTunnelsTest implements SessionListener {

    private static final Duration LONG = Duration.ofSeconds(50);

    /** SETTINGS: tunnels are allowed, and no stream. */
    private static final byte[] NO_STREAMS = {0, 0, 12, 4, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 1, 0, 3, 0, 0, 0, 0};

    private final List<String> told = new ArrayList<>();
    private @Nullable Error planted;

    @Override
    public void onIdle(ClientSession session, @Nullable ConnectionInfo client) {
        Error thrown = planted;
        planted = null;
        if (thrown != null) {
            throw thrown;
        }
        told.add("idle");
    }

    @Override
    public void onClosed(ClientSession session) {
        told.add("closed");
    }

    private final class Failing implements ResponseListener {

        @Override
        public void onHeadSent(ClientStream stream) {
            throw new AssertionError("nothing may be sent");
        }

        @Override
        public void onInform(int status, Headers fields) {
            throw new AssertionError("nothing comes");
        }

        @Override
        public void onHead(ClientStream stream, ResponseHead head) {
            throw new AssertionError("nothing comes");
        }

        @Override
        public void onFailed(ClientException failure) {
            told.add(failure.reason().toString());
            throw new OutOfMemoryError("planted by the test");
        }
    }

    private ClientSession open(ScriptedConnection connection) throws Exception {
        return new Http2ClientProvider()
                .create(ClientScheme.of("h2c", "HTTP/2", 80, false), Settings.DEFAULTS, LONG, LONG)
                .open(connection, this);
    }

    private void start(ClientSession session) {
        session.start(
                new ClientRequest("GET", "/", new Headers().add("Host", "a.test"), 0, "websocket"), new Failing());
    }

    @Test
    void learnOfTheEndOfTheConnectionWhateverOneOfThemThrows() throws Exception {
        ScriptedConnection connection = new ScriptedConnection();
        ClientSession session = open(connection);
        start(session);
        start(session);

        connection.breakOff();

        assertEquals(List.of("CLOSED", "idle", "CLOSED", "idle", "closed"), told);
    }

    @Test
    void learnOfAnErrorWhileTheyAreSent() throws Exception {
        ScriptedConnection connection = new ScriptedConnection();
        start(open(connection));
        planted = new OutOfMemoryError("planted by the test");

        connection.receive(NO_STREAMS);

        assertEquals(List.of("INTERNAL", "idle"), told.subList(0, 2));
    }
}
