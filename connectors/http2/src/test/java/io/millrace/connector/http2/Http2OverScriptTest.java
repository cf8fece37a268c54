package io.millrace.connector.http2;

import io.millrace.protocol.Dispatcher;
import io.millrace.settings.Settings;
import io.millrace.testkit.ContractClient;
import io.millrace.testkit.DripConnection;
import io.millrace.testkit.EarlyFinishCases;
import io.millrace.testkit.ExpectAndTrailerCases;
import io.millrace.testkit.ProtocolContract;
import io.millrace.testkit.ScriptedLink;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/2 on a connection in memory, in chunks and one byte at a time. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class Http2OverScriptTest extends ProtocolContract implements ExpectAndTrailerCases, EarlyFinishCases {

    private final boolean dripping;

    Http2OverScriptTest(boolean dripping) {
        this.dripping = dripping;
    }

    @Override
    protected int large() {
        return 200_000;
    }

    @Override
    protected ContractClient connect(Dispatcher dispatcher) throws Exception {
        return Http2ContractWire.client(new ScriptedLink(
                new Http2Protocol(Settings.DEFAULTS, "http"),
                dispatcher,
                connection -> dripping ? new DripConnection(connection) : connection));
    }
}
