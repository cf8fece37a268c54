package io.millrace.connector.ajp;

import static io.millrace.connector.ajp.AjpOptions.SECRET;
import static io.millrace.http1.Http1Options.MAX_KEEP_ALIVE_REQUESTS;

import io.millrace.http1.Http1Protocol;
import io.millrace.io.Connection;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.ProtocolChooser;
import io.millrace.settings.Settings;
import io.millrace.testkit.DripConnection;
import io.millrace.testkit.ScriptedLink;
import java.time.Duration;
import java.util.List;

/** A port in memory that HTTP/1.1 and AJP share. */
final class SharedPort {

    static final Settings AJP = Settings.DEFAULTS.with(SECRET, "s");
    static final Duration TIMEOUT = Duration.ofSeconds(20);

    private SharedPort() {}

    static ProtocolChooser chooser() {
        Settings options = Settings.DEFAULTS.with(MAX_KEEP_ALIVE_REQUESTS, -1);
        return new ProtocolChooser(List.of(new Http1Protocol(options, "http"), new AjpProtocol(AJP, "http")), TIMEOUT);
    }

    /** A connection to it that delivers input in one piece, or one byte at a time. */
    static ScriptedLink link(boolean dripping, Dispatcher dispatcher) {
        return ScriptedLink.open(connection -> {
            Connection top = dripping ? new DripConnection(connection) : connection;
            chooser().open(top, dispatcher);
        });
    }
}
