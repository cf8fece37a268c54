package io.millrace.testkit;

import static io.millrace.http1.Http1Options.MAX_KEEP_ALIVE_REQUESTS;

import io.millrace.http1.Http1Protocol;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Timers;
import io.millrace.protocol.Dispatcher;
import io.millrace.settings.Settings;
import io.millrace.tls.layer.TlsLayer;
import java.io.IOException;
import java.time.Duration;

/** TLS and HTTP/1.1 above a connection that carries one byte at a time, both ways. */
class Http1OverTlsOverDripTest extends ProtocolContract
        implements ExpectAndTrailerCases, EarlyFinishCases, SwitchCases {

    private final TestTls tls = TestTls.create();
    private final Timers timers = ScriptedConnection.timers();

    @Override
    protected int large() {
        return 100_000;
    }

    @Override
    protected ContractClient connect(Dispatcher dispatcher) throws IOException {
        Settings options = Settings.DEFAULTS.with(MAX_KEEP_ALIVE_REQUESTS, -1);
        Http1Protocol protocol = new Http1Protocol(options, "https");
        TlsLayer layer = new TlsLayer(tls, Runnable::run, timers, Duration.ofSeconds(20));
        ScriptedLink link = ScriptedLink.open(connection -> layer.open(new DripConnection(connection), secured -> {
            ConnectionHandler handler = protocol.open(secured, null, dispatcher);
            secured.install(handler);
            handler.onReadable();
        }));
        return new Http1ContractClient(new TlsLink(link, tls.clientEngine()));
    }
}
