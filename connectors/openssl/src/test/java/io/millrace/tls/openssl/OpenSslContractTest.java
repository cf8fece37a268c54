package io.millrace.tls.openssl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.race.Race;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.TlsSettings;
import io.millrace.tls.contract.Credulous;
import io.millrace.tls.contract.InMemory;
import io.millrace.tls.contract.OpenSsl;
import io.millrace.tls.contract.TlsProviderContract;
import io.millrace.tls.material.ReloadingEngines;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** OpenSSL's TLS behaves as the JDK's; and its memory … */
final class OpenSslContractTest extends TlsProviderContract {

    @Override
    protected TlsImplementation implementation() {
        return TlsImplementation.OPENSSL;
    }

    @AfterAll
    static void checkNothingLeft() {
        Leaks.check();
    }

    /** Applications use it to track their sessions. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void keepsTheNameOfASessionThatIsResumed(String version) throws Exception {
        TlsOptions options = TlsOptions.of(host().with(TlsHost.PROTOCOLS, version))
                .with(TlsOptions.IMPLEMENTATION, TlsImplementation.OPENSSL);
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

    /** Debian's configuration requires keys of 2048 bits. */
    @Test
    void takesAWeakKeyIfTheSecurityLevelLetsIt() throws Exception {
        OpenSsl openssl = new OpenSsl(directory());
        openssl.selfSigned("weak", "rsa:1024", "weak.test");
        TlsHost weak = TlsHost.any().pem(openssl.file("weak.pem"), openssl.file("weak.key"));
        TlsConfigurationException refused = assertThrows(TlsConfigurationException.class, () -> server(weak));
        assertTrue(String.valueOf(refused.getMessage()).endsWith("ee key too small"), refused::toString);
        new InMemory(client(null), server(weak.with(TlsHost.CIPHERS, "HIGH:@SECLEVEL=1"))).shakeHands();
    }

    @Test
    void saysThatItCannotUseAKeyThatStaysInItsKeystore() throws Exception {
        TlsHost host = host();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(directory().resolve("rsa.p12"))) {
            store.load(in, "changeit".toCharArray());
        }
        X509Certificate certificate = (X509Certificate) store.getCertificate("mine");
        TlsSettings.Key key = new TlsSettings.Key(
                new KeptKey(), List.of(certificate), host.certificates().get(0));
        TlsSettings settings = new TlsSettings(
                host,
                List.of(key),
                List.of("TLSv1.3"),
                List.of("TLS_AES_128_GCM_SHA256"),
                null,
                null,
                List.of(),
                List.of());
        TlsConfigurationException refused =
                assertThrows(TlsConfigurationException.class, () -> new OpenSslProvider().open(settings));
        assertTrue(
                String.valueOf(refused.getMessage()).contains("cannot be exported from its keystore"),
                refused::toString);
    }

    /** As a key in hardware is. */
    private static final class KeptKey implements PrivateKey {

        private static final long serialVersionUID = 1;

        @Override
        public String getAlgorithm() {
            return "RSA";
        }

        @Override
        public @Nullable String getFormat() {
            return null;
        }

        @Override
        public byte @Nullable [] getEncoded() {
            return null;
        }
    }

    /** Records are written into the chunk that is sent, which may end within a record. */
    @Test
    void keepsWhatARecordHasMoreThanThereIsRoomFor() throws Exception {
        TlsEngine server = server(host());
        SSLEngine client = client(null);
        new InMemory(client, server).shakeHands();
        byte[] sent = new byte[40_000];
        new Random(7).nextBytes(sent);
        ByteBuffer[] plain = {ByteBuffer.wrap(sent)};
        ByteBuffer cipher = ByteBuffer.allocate(50_000);
        for (int room = server.leastRoom(); plain[0].hasRemaining() || server.hasOutput(); room += 1_000) {
            ByteBuffer part = ByteBuffer.allocateDirect(room);
            assertEquals(TlsEngine.Status.PROGRESS, server.wrap(plain, part));
            cipher.put(part.flip());
        }
        ByteBuffer received = ByteBuffer.allocate(60_000);
        cipher.flip();
        while (cipher.hasRemaining()) {
            client.unwrap(cipher, received);
        }
        assertArrayEquals(sent, Arrays.copyOf(received.array(), received.position()));
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

    /** The thread that releases it and the threads that are inside a call agree on which one frees it. */
    @Test
    void isFreedOnceIfAThreadUsesItWhenItIsReleased() throws Exception {
        TlsOptions options = TlsOptions.of(host()).with(TlsOptions.IMPLEMENTATION, TlsImplementation.OPENSSL);
        try (ReloadingEngines engines = new ReloadingEngines(options, List.of())) {
            int before = Leaks.count();
            Race.run(() -> new Race.Round() {
                private final TlsEngine server = engine(engines);
                private final InMemory both = afterHandshake(server);

                @Override
                public void one() {
                    try {
                        for (int i = 0; i < 100; i++) {
                            assertEquals(i, both.send(new byte[i]).length);
                            assertEquals(i, both.receive(new byte[i]).length);
                        }
                    } catch (SSLException released) {
                        assertTrue(released.getCause() instanceof ClosedChannelException, released::toString);
                    }
                }

                @Override
                public void other() {
                    server.release();
                }

                @Override
                public void check() {
                    assertEquals(before, Leaks.count());
                }
            });
        }
    }

    private static TlsEngine engine(ReloadingEngines engines) {
        try {
            return Objects.requireNonNull(engines.create(null, new InetSocketAddress(0)));
        } catch (IOException closed) {
            throw new AssertionError(closed);
        }
    }

    private static InMemory afterHandshake(TlsEngine server) {
        try {
            return new InMemory(client(null), server).shakeHands();
        } catch (Exception refused) {
            throw new AssertionError(refused);
        }
    }
}
