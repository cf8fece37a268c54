package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.testkit.NeedsConnector;
import io.millrace.testkit.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What cannot work is told in one line, and the command … */
final class FailuresIT {

    @Test
    void endsIfThePortIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            assertFails(
                    ":" + port + ": Address already in use",
                    "run",
                    "--port=" + port,
                    "--address=127.0.0.1",
                    Product.EXAMPLES.toString());
        }
    }

    @Test
    void endsIfTheWarIsMissing() throws Exception {
        assertFails("millrace: missing.war: there is no such file or directory", "run", "--port=0", "missing.war");
    }

    @Test
    void refusesAnApplicationForJakartaServletInOneSentence(@TempDir Path directory) throws Exception {
        Path war = directory.resolve("new.war");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
            zip.putNextEntry(new ZipEntry("WEB-INF/web.xml"));
            zip.write("<web-app xmlns='https://jakarta.ee/xml/ns/jakartaee' version='5.0'/>"
                    .getBytes(StandardCharsets.UTF_8));
        }
        try (Product product = Product.launch("run", "--port=0", "--address=127.0.0.1", war.toString())) {
            assertEquals(1, product.exitStatus(), product.output());
            String refusal = product.awaitLine("this is a jakarta.servlet application");
            assertTrue(refusal.contains("MILLRACE0004: The application at \"/new\" failed to start"), refusal);
            assertFalse(product.has("\tat "), product.output());
        }
    }

    @Test
    void endsIfTheTransportIsUnknown() throws Exception {
        assertFails(
                "millrace: there is no transport 'carrier-pigeon'; installed: "
                        + String.join(", ", Transports.installed()),
                "run",
                "--transport=carrier-pigeon",
                Product.EXAMPLES.toString());
    }

    @Test
    @NeedsConnector("apr")
    void endsIfJavaIsTooOldForApr() throws Exception {
        Optional<Path> java17 = InstalledJava.home(17);
        assumeTrue(java17.isPresent(), "no Java 17 here");
        assertFails(
                Map.of("JAVA_HOME", java17.get().toString()),
                "millrace: the transport 'apr' needs Java 22 or newer; this is Java 17.",
                "run",
                "--port=0",
                "--transport=apr",
                Product.EXAMPLES.toString());
    }

    @Test
    void endsIfJavaIsTooOldForVirtualThreads() throws Exception {
        Optional<Path> java17 = InstalledJava.home(17);
        assumeTrue(java17.isPresent(), "no Java 17 here");
        assertFails(
                Map.of("JAVA_HOME", java17.get().toString()),
                "millrace: --virtual-threads: virtual threads need Java 21 or later, this is Java 17; leave the option out,",
                "run",
                "--port=0",
                "--virtual-threads",
                Product.EXAMPLES.toString());
    }

    @Test
    @NeedsConnector("apr")
    void endsIfAprIsNotInstalled() throws Exception {
        assertFails(
                Map.of("JAVA_OPTS", "-Dmillrace.apr.library=/nowhere/libapr.so"),
                "millrace: the transport 'apr' cannot work here: millrace.apr.library is /nowhere/libapr.so,",
                "run",
                "--port=0",
                "--transport=apr",
                Product.EXAMPLES.toString());
    }

    @Test
    void endsIfServerXmlCannotBeRead(@TempDir Path base) throws Exception {
        Files.createDirectories(base.resolve("conf/server.xml"));
        assertFails("server.xml: cannot be read (Is a directory)", "start", "--base=" + base);
    }

    @Test
    void endsIfServerXmlIsNotXml(@TempDir Path base) throws Exception {
        Path file = Files.createDirectories(base.resolve("conf")).resolve("server.xml");
        Files.writeString(file, "<Server>\n  <Service>\n</Server>\n");
        try (Product product = Product.launch("start", "--base=" + base)) {
            assertEquals(1, product.exitStatus(), product.output());
            assertTrue(
                    product.lines().get(0).startsWith("conf/server.xml:3: error: not well-formed XML: "),
                    product.output());
        }
    }

    @Test
    void endsWithStatus2IfItIsCalledWrongly() throws Exception {
        try (Product product = Product.launch("run", "--prot=8080", "x.war")) {
            assertEquals(2, product.exitStatus());
            assertTrue(product.lines().get(0).startsWith("millrace: there is no option --prot=8080"), product.output());
        }
    }

    private static void assertFails(String line, String... arguments) throws IOException, InterruptedException {
        assertFails(Map.of(), line, arguments);
    }

    private static void assertFails(Map<String, String> environment, String line, String... arguments)
            throws IOException, InterruptedException {
        try (Product product = Product.process().environment(environment).launch(arguments)) {
            assertEquals(1, product.exitStatus(), product.output());
            assertEquals(1, product.lines().size(), product.output());
            assertTrue(product.output().contains(line), product.output());
        }
    }
}
