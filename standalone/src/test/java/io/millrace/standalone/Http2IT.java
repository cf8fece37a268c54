package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.NeedsConnector;
import io.millrace.testkit.TestTls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTP/2 by the product, as curl sees it. */
@NeedsConnector("http2")
final class Http2IT {

    private static final String[] VERSION = {"-o", "/dev/null", "-w", "%{http_version} %{http_code}"};

    /** By prior knowledge, and to whoever would rather upgrade; a body is answered in HTTP/1.1. */
    @Test
    void isSpokenByRunIfItIsAskedFor(@TempDir Path work) throws Exception {
        try (Product product = Product.serving(
                "run", "--http2", "--port=0", "--address=127.0.0.1", "--work=" + work, Product.EXAMPLES.toString())) {
            String url = product.url("/millrace-examples/hello");
            assertEquals("2 200", version(url, "--http2-prior-knowledge"));
            assertTrue(Curl.run("--http2", url).contains("Hello"));
            assertEquals("2 200", version(url, "--http2"));
            assertEquals("1.1", version(url, "--http2", "-d", "a=b").substring(0, 3));
            assertEquals("1.1 200", version(url, "--http1.1"));
            assertTrue(Curl.run("--http2-prior-knowledge", url).contains("Hello"));
        }
    }

    /** The proxy reaches its backend in plain text. Both print URLs with https. */
    @Test
    void isOfferedByAlpnByRunAndProxyWithACertificate(@TempDir Path work) throws Exception {
        Path key = work.resolve("key.pem");
        Path trusted = work.resolve("cert.pem");
        TestTls.writePem(trusted, key);
        String[] options = {
            "--http2",
            "--virtual-threads",
            "--tls-cert=" + trusted,
            "--tls-key=" + key,
            "--port=0",
            "--address=127.0.0.1"
        };
        try (Product run = serving("run", options, Product.EXAMPLES.toString());
                Product proxy = serving(
                        "proxy", options, "h2://localhost:" + run.ports().get(0), "--ca=" + trusted)) {
            for (Product each : List.of(run, proxy)) {
                String origin = "https://localhost:" + each.ports().get(0);
                each.awaitLine(origin + "/");
                String url = origin + "/millrace-examples/info";
                assertEquals("2 200", version(url, "--http2", "--cacert", trusted.toString()));
                assertEquals("1.1 200", version(url, "--http1.1", "--cacert", trusted.toString()));
            }
            // virtual threads are in no dump; the pool's would be
            assertFalse(ThreadDump.of(run.pid()).contains("millrace-worker"), "platform threads");
        }
    }

    private static Product serving(String command, String[] options, String... operands) throws Exception {
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(List.of(options));
        words.addAll(List.of(operands));
        return Product.process().serving(words.toArray(String[]::new));
    }

    /** Over TLS clients choose by ALPN. */
    @Test
    void isOfferedByServerXmlOnEveryTransport(@TempDir Path base) throws Exception {
        List<String> transports = AllTransports.TRANSPORTS;
        StringBuilder connectors = new StringBuilder();
        for (String transport : transports) {
            connectors.append(connector(transport, "", ""));
            for (EitherTls tls : EitherTls.installed()) {
                connectors.append(connector(transport, "SSLEnabled='true' sslImplementation='" + tls + "'", """
                        <SSLHostConfig>
                          <Certificate certificateKeystoreFile='keys.p12' certificateKeystorePassword='testkit'/>
                        </SSLHostConfig>"""));
            }
        }
        TestCertificate.keystore(base.resolve("keys.p12"));
        Path trusted = TestCertificate.certificate(base.resolve("trusted.pem"));
        Files.writeString(
                Files.createDirectories(base.resolve("conf")).resolve("server.xml"),
                "<Server><Service>" + connectors + "<Engine><Host/></Engine></Service></Server>");
        String content = "0123456789".repeat(200_000);
        Files.writeString(Files.createDirectories(base.resolve("webapps/ROOT")).resolve("large.txt"), content);
        try (Product product = Product.serving("start", "--base=" + base)) {
            List<String> seen = new ArrayList<>();
            for (int port : product.ports()) {
                boolean plain = seen.size() % (1 + EitherTls.installed().size()) == 0;
                String url = (plain ? "http" : "https") + "://localhost:" + port + "/large.txt";
                String http2 = plain ? "--http2-prior-knowledge" : "--http2";
                seen.add(version(url, http2, "--cacert", trusted.toString()));
                assertEquals(content, Curl.run(http2, "--cacert", trusted.toString(), url), url);
                assertEquals("1.1 200", version(url, "--http1.1", "--cacert", trusted.toString()));
            }
            assertEquals(
                    Collections.nCopies(
                            transports.size() * (1 + EitherTls.installed().size()), "2 200"),
                    seen);
        }
    }

    private static String connector(String transport, String attributes, String hosts) {
        return "<Connector port='0' address='127.0.0.1' protocol='" + transport + "' " + attributes + ">"
                + "<UpgradeProtocol className='org.apache.coyote.http2.Http2Protocol'/>" + hosts + "</Connector>\n";
    }

    private static String version(String url, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of(VERSION));
        all.addAll(List.of(options));
        all.add(url);
        return Curl.run(all.toArray(String[]::new));
    }
}
