package io.millrace.tls.openssl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.tls.ReloadingEngines;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.contract.Credulous;
import io.millrace.tls.contract.InMemory;
import io.millrace.tls.contract.TlsProviderContract;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** OpenSSL's TLS does what the JDK's does; and its memory … */
final class OpenSslContractTest extends TlsProviderContract {

    @Override
    protected TlsImplementation implementation() {
        return TlsImplementation.OPENSSL;
    }

    @AfterAll
    static void checkNothingLeft() {
        Leaks.check();
    }

    /** Applications track their sessions by it. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void keepsTheNameOfASessionThatIsResumed(String version) throws Exception {
        TlsOptions options = TlsOptions.builder()
                .implementation(TlsImplementation.OPENSSL)
                .host(host().protocols(version).build())
                .build();
        SSLContext client = SSLContext.getInstance("TLS");
        client.init(null, new TrustManager[] {new Credulous()}, null);
        List<String> names = new ArrayList<>();
        try (ReloadingEngines engines = new ReloadingEngines(options, List.of())) {
            for (int i = 0; i < 3; i++) {
                SSLEngine engine = client.createSSLEngine("rsa.test", 1);
                engine.setUseClientMode(true);
                TlsEngine server = Objects.requireNonNull(engines.create(null, new InetSocketAddress(0)));
                new InMemory(engine, server).shakeHands();
                names.add(HexFormat.of().formatHex(server.session().getId()));
                server.release();
            }
        }
        assertEquals(64, names.get(0).length());
        assertEquals(List.of(names.get(0), names.get(0), names.get(0)), names);
    }

    @Test
    void cannotBeUsedAfterItsRelease() throws Exception {
        TlsEngine server = server(host());
        InMemory both = new InMemory(client(null), server).shakeHands();
        server.release();
        server.release();
        assertThrows(SSLException.class, () -> both.send(new byte[] {1}));
        assertThrows(SSLException.class, () -> both.receive(new byte[] {1}));
        server.closeOutput();
        assertEquals("TLSv1.3", server.session().getProtocol());
        assertEquals(32, server.session().getId().length);
    }

    @Test
    void cannotBeUsedAfterItsReleaseInAHandshake() throws Exception {
        TlsEngine server = server(host());
        SSLEngine client = client(null);
        client.beginHandshake();
        ByteBuffer hello = ByteBuffer.allocate(20_000);
        client.wrap(ByteBuffer.allocate(0), hello);
        assertEquals(TlsEngine.Status.NEEDS_TASK, server.unwrap(hello.flip(), ByteBuffer.allocate(0)));
        Runnable task = Objects.requireNonNull(server.takeTask());
        server.release();
        task.run();
        assertThrows(SSLException.class, () -> server.unwrap(ByteBuffer.allocate(0), ByteBuffer.allocate(0)));
        assertEquals("NONE", server.session().getProtocol());
    }
}
