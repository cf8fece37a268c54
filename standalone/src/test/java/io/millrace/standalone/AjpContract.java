package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connector.ajp.AjpOptions;
import io.millrace.connector.ajp.AjpProtocol;
import io.millrace.io.TransportProvider;
import io.millrace.protocol.Protocol;
import io.millrace.testkit.AjpContractClient;
import io.millrace.testkit.ContractClient;
import io.millrace.testkit.ContractLink;
import io.millrace.testkit.ContractRequest;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.SocketContract;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/** AJP on a transport of this installation. Here, because only here are all of them. */
abstract class AjpContract extends SocketContract {

    private static final int POOLED = 500;
    private static final int MOST_THREADS = 60;

    private final AjpOptions options = AjpOptions.builder().secret("s").build();

    abstract String transport();

    /** A front end that ends its output is gone. */
    @Override
    protected boolean mayFinishEarly() {
        return false;
    }

    @Override
    protected boolean hasExpectAndTrailers() {
        return false;
    }

    /** As a front end keeps them: each after a request that was answered later, on another thread. */
    @Test
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
        int threads = Thread.getAllStackTraces().size();
        assertTrue(threads < MOST_THREADS, () -> threads + " threads");
        for (ContractClient client : pool) {
            client.send(ContractRequest.of("GET", "/hello?second"));
            assertEquals("hello second", client.receive().text());
        }
    }

    @Override
    protected TransportProvider provider() {
        return ServiceLoader.load(TransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals(transport()))
                .findFirst()
                .orElseThrow();
    }

    @Override
    protected Protocol protocol() {
        return new AjpProtocol(options, "http");
    }

    @Override
    protected ContractClient client(ContractLink link) {
        return new AjpContractClient(link, "s", options.packetSize());
    }
}
