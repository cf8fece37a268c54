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
import io.millrace.settings.Settings;
import io.millrace.testkit.ScriptedConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests for tunnels that wait for the settings of their server. They … */
final class PendingTunnelsTest implements SessionListener {

    private static final Duration LONG = Duration.ofSeconds(50);

    private final List<String> told = new ArrayList<>();

    @Override
    public void onIdle(ClientSession session) {
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

    @Test
    void learnOfTheEndOfTheConnectionWhateverOneOfThemThrows() throws Exception {
        ScriptedConnection connection = new ScriptedConnection();
        ClientSession session = new Http2ClientProvider()
                .create(ClientScheme.of("h2c", "HTTP/2", 80, false), Settings.DEFAULTS, LONG, LONG)
                .open(connection, this);
        ClientRequest request = new ClientRequest("GET", "/", new Headers().add("Host", "a.test"), 0, "websocket");
        session.start(request, new Failing());
        session.start(request, new Failing());

        connection.breakOff();

        assertEquals(List.of("CLOSED", "idle", "CLOSED", "idle", "closed"), told);
    }
}
