package io.millrace.standalone;

import static io.millrace.protocol.ProtocolOptions.CONNECTION_TIMEOUT;
import static io.millrace.protocol.ProtocolOptions.KEEP_ALIVE_TIMEOUT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.http.Headers;
import io.millrace.io.TransportProvider;
import io.millrace.protocol.Protocol;
import io.millrace.settings.Settings;
import io.millrace.testkit.AjpContractClient;
import io.millrace.testkit.AjpPacket;
import io.millrace.testkit.Connectors;
import io.millrace.testkit.ContractClient;
import io.millrace.testkit.ContractLink;
import io.millrace.testkit.ContractRequest;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.DiffersByTransport;
import io.millrace.testkit.InPart;
import io.millrace.testkit.NeedsConnector;
import io.millrace.testkit.SocketContract;
import io.millrace.testkit.Transports;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** AJP on a transport of this installation. Here, because only here are all of them. */
@NeedsConnector("ajp")
@InPart
@ParameterizedClass
@MethodSource("io.millrace.testkit.Transports#installed")
final class AjpOverTransportTest extends SocketContract {

    private static final int PACKET_SIZE = 8192;
    private static final int POOLED = 500;
    private static final int MAX_THREADS = 60;

    private Settings options = Connectors.with("ajp", Settings.DEFAULTS, "secret", "s");

    private final String transport;

    AjpOverTransportTest(String transport) {
        this.transport = transport;
    }

    /** As a front end keeps them: each after a request that was answered later, on another thread. */
    @Test
    @DiffersByTransport
    void holdsNoThreadAndNoBufferForFiveHundredPooledConnections() throws Exception {
        List<ContractClient> pool = new ArrayList<>(List.of(connect()));
        while (pool.size() < POOLED) {
            pool.add(connectAgain());
        }
        for (ContractClient client : pool) {
            client.send(ContractRequest.of("GET", "/late?first"));
        }
        for (int i = 0; i < POOLED; i++) {
            server().runLater();
        }
        for (ContractClient client : pool) {
            assertEquals("late first", client.receive().text());
        }
        Deadline.await("every buffer to be released", () -> buffers().outstanding() == 0);
        Deadline.await(
                "fewer than " + MAX_THREADS + " threads",
                () -> Thread.getAllStackTraces().size() < MAX_THREADS);
        for (ContractClient client : pool) {
            client.send(ContractRequest.of("GET", "/hello?second"));
            assertEquals("hello second", client.receive().text());
        }
    }

    /** Each ends its own connection and nobody else's. */
    @Test
    @DiffersByTransport
    void isHurtByNoPacketThatIsNoneNorByOneThatNeverBecomesWhole() throws Exception {
        options =
                options.with(CONNECTION_TIMEOUT, Duration.ofSeconds(1)).with(KEEP_ALIVE_TIMEOUT, Duration.ofMinutes(1));
        ContractClient good = connect();
        assertServed(good);
        List<ContractLink> bad = new ArrayList<>();
        for (byte[] packet : List.of(
                "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
                AjpPacket.ofType(99).bytes(),
                AjpPacket.body(new byte[3], 0, 3),
                AjpPacket.request(2, "HTTP/1.1", "/hello", new Headers()).bytes(),
                new byte[] {0x12, 0x34, (byte) 0xff, (byte) 0xff},
                new byte[] {0x12, 0x34, 0},
                Arrays.copyOf(AjpPacket.ping(), 4),
                halfABody(),
                new byte[0])) {
            ContractLink link = linkAgain();
            link.send(packet);
            bad.add(link);
            assertServed(good);
        }
        for (ContractLink link : bad) {
            while (link.receive().length > 0) {
                // an answer to what began well
            }
            assertServed(good);
        }
        good.checkNothingHeld();
    }

    private static byte[] halfABody() {
        Headers length = new Headers().add("content-length", "10");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(AjpPacket.request(4, "HTTP/1.1", "/echo", length)
                .attribute(0x0c, "s")
                .end());
        out.writeBytes(Arrays.copyOf(AjpPacket.body(new byte[10], 0, 10), 9));
        return out.toByteArray();
    }

    private static void assertServed(ContractClient client) throws Exception {
        client.send(ContractRequest.of("GET", "/hello?beside"));
        assertEquals("hello beside", client.receive().text());
    }

    @Override
    protected TransportProvider provider() {
        return Transports.provider(transport);
    }

    @Override
    protected Protocol protocol() {
        return Connectors.protocol("ajp").create("http", options);
    }

    @Override
    protected ContractClient client(ContractLink link) {
        return new AjpContractClient(link, "s", PACKET_SIZE);
    }
}
