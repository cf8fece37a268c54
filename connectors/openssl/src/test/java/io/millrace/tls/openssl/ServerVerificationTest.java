package io.millrace.tls.openssl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.tls.Password;
import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.contract.OpenSsl;
import io.millrace.tls.material.ReloadingEngines;
import io.millrace.tls.material.TlsClients;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** OpenSSL as a client of servers with a false identity … */
final class ServerVerificationTest {

    private static final String NOW = "-days 100";

    @TempDir
    static Path directory;

    private static OpenSsl openssl = new OpenSsl(Path.of("."));

    @BeforeAll
    static void issue() throws Exception {
        openssl = new OpenSsl(directory);
        Files.writeString(directory.resolve("ca.cnf"), """
                [ca]
                default_ca = any
                [any]
                database = index.txt
                new_certs_dir = .
                rand_serial = yes
                default_md = sha256
                policy = names
                copy_extensions = copy
                unique_subject = no
                [names]
                commonName = supplied
                """);
        Files.createFile(directory.resolve("index.txt"));
        authority("ca");
        authority("other");
        issue(
                "named",
                "DNS:named.test,DNS:*.wild.test,DNS:part*.test,DNS:*.test,DNS:127.0.0.9,IP:127.0.0.1,IP:::1",
                NOW);
        issue("bare", "email:nobody@named.test", NOW);
        issue("expired", "DNS:named.test", "-startdate 20200101000000Z -enddate 20200201000000Z");
        issue("future", "DNS:named.test", "-startdate 20400101000000Z -enddate 20410101000000Z");
        issue("client", "DNS:named.test", "-days 100 -extfile client.ext");
        openssl.selfSigned("self", "rsa:2048", "named.test");
    }

    private static void authority(String name) throws Exception {
        openssl.run("req -x509 -newkey rsa:2048 -nodes -keyout " + name + ".key -out " + name
                + ".pem -days 3650 -subj /CN=" + name);
    }

    private static void issue(String name, String names, String more) throws Exception {
        Files.writeString(
                directory.resolve("client.ext"), "extendedKeyUsage=clientAuth\nsubjectAltName=" + names + "\n");
        openssl.run("req -newkey rsa:2048 -nodes -keyout " + name + ".key -out " + name
                + ".csr -subj /CN=named.test -addext subjectAltName=" + names);
        openssl.run("ca -batch -config ca.cnf -cert ca.pem -keyfile ca.key -in " + name + ".csr -out " + name
                + ".pem -notext " + more);
    }

    @AfterAll
    static void checkNothingLeft() {
        Leaks.check();
    }

    private static TlsClientOptions trusting(String authority) {
        return TlsClientOptions.DEFAULT
                .with(TlsOptions.IMPLEMENTATION, TlsImplementation.OPENSSL)
                .with(TlsHost.CA_CERTIFICATE_FILE, openssl.file(authority + ".pem"));
    }

    private static TlsOptions server(String certificate, TlsImplementation implementation) {
        return TlsOptions.of(TlsHost.any().pem(openssl.file(certificate + ".pem"), openssl.file(certificate + ".key")))
                .with(TlsOptions.IMPLEMENTATION, implementation);
    }

    /** Makes a handshake in memory, and returns the client's session. */
    private static SSLSession shake(String certificate, TlsClientOptions options, String host) throws IOException {
        try (ReloadingEngines server = new ReloadingEngines(server(certificate, TlsImplementation.JSSE), List.of());
                TlsClientEngines client = TlsClients.open(options)) {
            return shake(server, client, host);
        }
    }

    private static SSLSession shake(ReloadingEngines servers, TlsClientEngines clients, String host)
            throws IOException {
        TlsEngine client = clients.create(host, 443);
        try {
            InetSocketAddress remote = InetSocketAddress.createUnresolved("client", 1);
            TlsEngine server = Objects.requireNonNull(servers.create(null, remote));
            try {
                new Wire(client, server).run();
                return client.session();
            } finally {
                server.release();
            }
        } finally {
            client.release();
        }
    }

    /** Transfers records between two engines until neither has output. */
    private static final class Wire {

        private final TlsEngine client;
        private final TlsEngine server;

        Wire(TlsEngine client, TlsEngine server) {
            this.client = client;
            this.server = server;
        }

        void run() throws SSLException {
            boolean moved = true;
            while (moved) {
                moved = move(client, server);
                moved |= move(server, client);
            }
            assertFalse(client.isHandshaking());
            assertFalse(server.isHandshaking());
        }

        private static boolean move(TlsEngine from, TlsEngine to) throws SSLException {
            boolean moved = false;
            while (from.hasOutput()) {
                ByteBuffer cipher = ByteBuffer.allocate(2 * TlsEngine.MAX_OUTPUT);
                from.wrap(new ByteBuffer[0], cipher);
                cipher.flip();
                while (cipher.hasRemaining()) {
                    int length = 5 + (cipher.getShort(cipher.position() + 3) & 0xffff);
                    receive(to, cipher.slice(cipher.position(), length));
                    cipher.position(cipher.position() + length);
                    moved = true;
                }
            }
            return moved;
        }

        private static void receive(TlsEngine to, ByteBuffer record) throws SSLException {
            ByteBuffer plain = ByteBuffer.allocate(TlsEngine.MAX_OUTPUT);
            while (record.hasRemaining()) {
                to.unwrap(record, plain);
                for (Runnable task = to.takeTask(); task != null; task = to.takeTask()) {
                    task.run();
                    to.unwrap(ByteBuffer.allocate(0), plain); // throws the task's exception
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"named.test", "NAMED.test", "a.wild.test", "127.0.0.1", "::1", "0:0::1"})
    void takesTheHostsOfTheCertificate(String host) throws Exception {
        assertTrue(shake("named", trusting("ca"), host).isValid());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "other.example",
                "named.test.example",
                "wild.test",
                "a.b.wild.test",
                "partial.test",
                "another.test",
                "127.0.0.2",
                "127.0.0.9",
                "::2"
            })
    void refusesOtherHosts(String host) {
        SSLException refused = assertThrows(SSLException.class, () -> shake("named", trusting("ca"), host));
        assertTrue(String.valueOf(refused.getMessage()).contains("mismatch"), refused::getMessage);
    }

    @ParameterizedTest
    @ValueSource(strings = {".wild.test", "named.test.", "a b", "", "1.2.3", "1::2::3", "127.0.0.01", "a_b.test"})
    void refusesToAskForWhatIsNoHost(String host) {
        assertThrows(SSLException.class, () -> shake("named", trusting("ca"), host));
    }

    @ParameterizedTest
    @CsvSource({
        "bare, ca, named.test, Hostname mismatch",
        "expired, ca, named.test, certificate has expired",
        "future, ca, named.test, certificate is not yet valid",
        "client, ca, named.test, purpose",
        "self, ca, named.test, self-signed certificate",
        "named, other, named.test, unable to get local issuer certificate"
    })
    void refusesWhomItCannotTrust(String certificate, String authority, String host, String why) {
        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
            TlsClientOptions options = trusting(authority).with(TlsHost.PROTOCOLS, version);
            SSLException refused = assertThrows(SSLException.class, () -> shake(certificate, options, host));
            String text = String.valueOf(refused.getMessage());
            assertTrue(
                    text.startsWith("the server's certificate is refused: ")
                            && text.toLowerCase(java.util.Locale.ROOT).contains(why.toLowerCase(java.util.Locale.ROOT)),
                    text);
        }
    }

    @Test
    void trustsTheAuthoritiesOfTheJdkUnlessToldOtherwise() {
        TlsClientOptions options = TlsClientOptions.DEFAULT.with(TlsOptions.IMPLEMENTATION, TlsImplementation.OPENSSL);
        assertThrows(SSLException.class, () -> shake("named", options, "named.test"));
    }

    @Test
    void refusesUntrustedServersAlsoWithoutVerificationOfNames() throws Exception {
        assertTrue(shake("named", trusting("ca").with(TlsClientOptions.VERIFY_HOST_NAME, false), "any.example")
                .isValid());
        assertThrows(
                SSLException.class,
                () -> shake("named", trusting("other").with(TlsClientOptions.VERIFY_HOST_NAME, false), "named.test"));
    }

    @ParameterizedTest
    @CsvSource({"TLSv1.2, JSSE", "TLSv1.3, JSSE", "TLSv1.2, OPENSSL", "TLSv1.3, OPENSSL"})
    void resumesSessionsWithTheSameHost(String version, TlsImplementation implementation) throws Exception {
        try (ReloadingEngines server = new ReloadingEngines(server("named", implementation), List.of());
                TlsClientEngines client = TlsClients.open(trusting("ca").with(TlsHost.PROTOCOLS, version))) {
            SSLSession first = shake(server, client, "named.test");
            SSLSession second = shake(server, client, "named.test");
            SSLSession other = shake(server, client, "a.wild.test");
            SSLSession third = shake(server, client, "named.test");
            assertArrayEquals(first.getId(), second.getId());
            assertArrayEquals(first.getId(), third.getId());
            assertEquals(first.getPeerPrincipal(), second.getPeerPrincipal());
            assertFalse(java.util.Arrays.equals(first.getId(), other.getId()));
            assertThrows(SSLException.class, () -> shake(server, client, "other.example"));
        }
    }

    @Test
    void offersTheCipherSuitesThatItIsTold() throws Exception {
        TlsClientOptions old = trusting("ca").with(TlsHost.PROTOCOLS, "TLSv1.2");
        assertEquals(
                "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                shake("named", old.with(TlsHost.CIPHERS, "ECDHE-RSA-AES128-GCM-SHA256"), "named.test")
                        .getCipherSuite());
        assertEquals(
                "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
                shake("named", old.with(TlsHost.CIPHERS, "ECDHE-RSA-CHACHA20-POLY1305"), "named.test")
                        .getCipherSuite());
    }

    @Test
    void saysWhatOfItsSettingsIsWrong() {
        assertEquals(TlsSetting.CIPHERS, wrong(trusting("ca").with(TlsHost.CIPHERS, "NONSENSE")));
        assertEquals(TlsSetting.PROTOCOLS, wrong(trusting("ca").with(TlsHost.PROTOCOLS, "TLSv9")));
        assertEquals(TlsSetting.CA_FILE, wrong(trusting("none")));
        assertEquals(
                TlsSetting.KEY_FILE,
                wrong(trusting("ca")
                        .withCertificate(new TlsCertificate.Pem(
                                openssl.file("named.pem"), openssl.file("none.key"), null, Password.NONE))));
    }

    private static TlsSetting wrong(TlsClientOptions options) {
        return assertThrows(TlsConfigurationException.class, () -> TlsClients.check(options))
                .setting();
    }

    @Test
    void makesNoConnectionsOnceClosed() {
        TlsClientEngines client = TlsClients.open(trusting("ca"));
        client.close();
        client.close();
        assertThrows(ClosedChannelException.class, () -> client.create("named.test", 443));
    }
}
