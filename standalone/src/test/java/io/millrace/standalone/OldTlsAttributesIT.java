package io.millrace.standalone;

import static io.millrace.standalone.OpensslClient.LOCALHOST;
import static io.millrace.standalone.OpensslClient.assertRefused;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connectors that say how they speak TLS by the attributes that Tomcat had for it before SSLHostConfig … */
@NullUnmarked
final class OldTlsAttributesIT {

    private static final String CONNECTORS = """
            <Connector port='0' address='127.0.0.1' SSLEnabled='true' scheme='https' secure='true'
                keystoreFile='certs/keys.jks' keystoreType='JKS' keystorePass='storepass' keyPass='keypass' keyAlias='second'
                sslEnabledProtocols='TLSv1.2' ciphers='TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384' clientAuth='true'
                truststoreFile='certs/trusted.p12' truststorePass='changeit' truststoreType='PKCS12' trustMaxCertLength='0'/>
            <Connector port='0' address='127.0.0.1' SSLEnabled='true' scheme='https' secure='true'
                keystoreFile='certs/keys.jks' keystorePassFile='certs/store.password' keyPassFile='certs/key.password'
                keyAlias='first' clientAuth='want' truststoreFile='certs/trusted.p12' truststorePass='changeit'
                crlFile='certs/revoked.crl'/>
            <Connector port='0' address='127.0.0.1' SSLEnabled='true' scheme='https' secure='true'
                SSLCertificateFile='certs/deep.pem' SSLCertificateKeyFile='certs/locked.key' SSLPassword='one'
                SSLCertificateChainFile='certs/intermediate.pem' SSLProtocol='TLSv1.2' SSLCipherSuite='ECDHE+AES128+AESGCM'
                SSLVerifyClient='require' SSLCACertificateFile='certs/ca.pem' SSLVerifyDepth='0'/>
            <Connector port='0' address='127.0.0.1' SSLEnabled='true' scheme='https' secure='true'
                SSLCertificateFile='certs/client.pem' SSLCertificateKeyFile='certs/client.key'
                SSLVerifyClient='optional' SSLCACertificateFile='certs/ca.pem' SSLCARevocationFile='certs/revoked.crl'/>
            """;

    private static final int OF_JSSE = 0;
    private static final int BY_FILES = 1;
    private static final int OF_APR = 2;
    private static final int WITH_LIST = 3;

    @TempDir
    private static Path base;

    private static CertificateAuthority authority;
    private static ProbeServer server;

    @BeforeAll
    static void start() throws Exception {
        Path certs = base.resolve("certs");
        authority = new CertificateAuthority(certs);
        authority.makeEc("client", "a client");
        authority.makeEc("leaver", "a leaver");
        authority.makeIntermediate("intermediate", "deep");
        authority.revoke("leaver");
        keytool(certs.resolve("keys.jks"), "JKS", "storepass", "-genkeypair", "first");
        keytool(certs.resolve("keys.jks"), "JKS", "storepass", "-genkeypair", "second");
        String root = authority.root().toString();
        keytool(certs.resolve("trusted.p12"), "PKCS12", "changeit", "-importcert", "ca", "-noprompt", "-file", root);
        Files.writeString(certs.resolve("store.password"), "storepass\n");
        Files.writeString(certs.resolve("key.password"), "keypass\n");
        lock(authority.key("deep"), certs.resolve("locked.key"));
        server = ProbeServer.serving(base, CONNECTORS);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void keytool(Path store, String type, String password, String command, String alias, String... more)
            throws Exception {
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        String[] words = command.equals("-genkeypair")
                ? new String[] {"-keypass", "keypass", "-dname", "CN=the " + alias, "-keyalg", "EC", "-validity", "100"}
                : more;
        String[] all = new String[words.length + 10];
        String[] first = {
            keytool, command, "-keystore", store.toString(), "-storetype", type, "-storepass", password, "-alias", alias
        };
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(words, 0, all, first.length, words.length);
        Command.succeed(all);
    }

    private static void lock(Path key, Path locked) throws Exception {
        Command.succeed(
                "openssl", "ec", "-aes256", "-in", key.toString(), "-out", locked.toString(), "-passout", "pass:one");
    }

    @Test
    void speakTlsAsThoseOfJsseSay() throws Exception {
        String said = as("client", OF_JSSE).output();
        assertTrue(said.contains("subject=CN = the second"), said);
        assertTrue(said.contains("TLSv1.2, Cipher is ECDHE-ECDSA-AES256-GCM-SHA384"), said);
        assertAnswered(said);
        assertRefused(as("client", OF_JSSE, "-tls1_3"));
        assertRefused(as("client", OF_JSSE, "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256"));
    }

    @Test
    void letThoseClientsInThatAreTrusted() throws Exception {
        assertRefused(openssl(OF_JSSE).get(LOCALHOST, "/where"));
        assertRefused(as("deep", OF_JSSE, "-cert_chain", chain()));
        assertAnswered(openssl(BY_FILES).get(LOCALHOST, "/where").output());
        assertAnswered(as("client", BY_FILES).output());
        assertRefused(as("leaver", BY_FILES));
    }

    @Test
    void readPasswordsFromFiles() throws Exception {
        String said = openssl(BY_FILES).get(LOCALHOST, "/where").output();
        assertTrue(said.contains("subject=CN = the first"), said);
    }

    @Test
    void speakTlsAsThoseOfAprSay() throws Exception {
        String said = as("client", OF_APR, "-verify_return_error").output();
        assertTrue(said.contains("subject=CN = deep") && said.contains("Verify return code: 0 (ok)"), said);
        assertTrue(said.contains("TLSv1.2, Cipher is ECDHE-ECDSA-AES128-GCM-SHA256"), said);
        assertAnswered(said);
        assertRefused(as("deep", OF_APR, "-cert_chain", chain()));
        assertRefused(as("leaver", WITH_LIST));
        assertAnswered(openssl(WITH_LIST).get(LOCALHOST, "/where").output());
        assertRefused(as("client", OF_APR, "-tls1_3"));
        assertRefused(openssl(OF_APR).get(LOCALHOST, "/where"));
    }

    private static String chain() {
        return authority.certificate("intermediate").toString();
    }

    private static OpensslClient openssl(int connector) {
        return new OpensslClient(server.port(connector), authority);
    }

    private static Command as(String client, int connector, String... more) throws Exception {
        return openssl(connector).getAs(client, LOCALHOST, "/where", more);
    }

    private static void assertAnswered(String said) {
        assertTrue(said.contains("HTTP/1.1 200"), said);
    }
}
