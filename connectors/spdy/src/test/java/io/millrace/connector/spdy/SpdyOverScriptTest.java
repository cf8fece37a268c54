package io.millrace.connector.spdy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.protocol.Dispatcher;
import io.millrace.settings.Settings;
import io.millrace.testkit.ContractClient;
import io.millrace.testkit.ContractRequest;
import io.millrace.testkit.ContractResponse;
import io.millrace.testkit.DripConnection;
import io.millrace.testkit.EarlyFinishCases;
import io.millrace.testkit.ProtocolContract;
import io.millrace.testkit.ScriptedLink;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** SPDY on a connection in memory, in chunks and one byte at a time. */
@ParameterizedClass
@CsvSource({"false, SPDY_3_1", "true, SPDY_3_1", "false, SPDY_3", "true, SPDY_3"})
class SpdyOverScriptTest extends ProtocolContract implements EarlyFinishCases {

    private final boolean dripping;
    private final SpdyVersion version;

    SpdyOverScriptTest(boolean dripping, SpdyVersion version) {
        this.dripping = dripping;
        this.version = version;
    }

    @Override
    protected int large() {
        return 200_000;
    }

    @Override
    protected ContractClient connect(Dispatcher dispatcher) throws Exception {
        return SpdyContractWire.client(
                new ScriptedLink(
                        new SpdyProtocol(
                                Settings.DEFAULTS.with(
                                        SpdyOptions.VERSION, version == SpdyVersion.SPDY_3 ? "3" : "3.1"),
                                "http"),
                        dispatcher,
                        connection -> dripping ? new DripConnection(connection) : connection),
                version);
    }

    /** A client that waits for 100 would never continue. */
    @Test
    void acceptsABodyWithExpectContinue() throws Exception {
        ContractClient client = connect();
        client.send(ContractRequest.of("POST", "/length")
                .with("Expect", "100-continue")
                .withBody(new byte[3000], true));
        ContractResponse response = client.receive();
        assertEquals("3000", response.text());
        assertEquals(List.of(), response.interim());
    }

    @Test
    void keepsEarlyHintsToItself() throws Exception {
        ContractClient client = connect();
        client.send(ContractRequest.of("GET", "/early-hints"));
        ContractResponse response = client.receive();
        assertEquals("hinted", response.text());
        assertEquals(List.of(), response.interim());
    }

    @Test
    void readsTheTrailersOfARequest() throws Exception {
        ContractClient client = connect();
        client.send(ContractRequest.of("POST", "/trailers")
                .withBody(new byte[2500], false)
                .withTrailer("Digest", "abc")
                .withTrailer("Other", "d"));
        assertEquals("digest=abc.other=d.", client.receive().text());
    }
}
