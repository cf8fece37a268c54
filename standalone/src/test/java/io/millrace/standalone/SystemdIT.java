package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.NeedsConnector;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A service manager that waits for messages, as systemd does, is told by the server … */
final class SystemdIT {

    /** Prints a line for each datagram; the address' first character is @ for an abstract one. */
    private static final String RECEIVER = """
            use IO::Socket::UNIX;
            my $address = $ARGV[0] =~ s/^\\@/\\0/r;
            my $socket = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => $address) or die $!;
            $| = 1;
            print "receiving\\n";
            while (defined $socket->recv(my $message, 65536)) {
                $message =~ s/\\n/ | /g;
                print "$message\\n";
            }
            """;

    private static final Path DIST = Path.of(System.getProperty("millrace.dist", ""));
    private static final Path ROOT = DIST.resolve("../../..").normalize();

    @TempDir
    private Path base = Path.of("");

    /** What was received. */
    private static final class Receiver implements AutoCloseable {

        private final Process process;
        private final ProductLines lines = new ProductLines();

        Receiver(String address) throws IOException {
            process = Command.start(List.of("perl", "-e", RECEIVER, address));
            Thread reader = new Thread(this::read, "messages");
            reader.setDaemon(true);
            reader.start();
            await("receiving", 1);
        }

        private void read() {
            try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
                in.lines().forEach(lines::add);
            } catch (IOException | UncheckedIOException ended) {
                // it is killed by close
            }
        }

        long count(String text) {
            return lines.all().stream().filter(line -> line.contains(text)).count();
        }

        void await(String text, int times) {
            Deadline.await(times + " messages with " + text + " in " + lines.all(), () -> count(text) >= times);
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    private Map<String, String> environment(int java, String address) throws IOException {
        Map<String, String> environment = new HashMap<>();
        environment.put("NOTIFY_SOCKET", address);
        environment.put("JAVA_HOME", InstalledJava.home(java).orElseThrow().toString());
        environment.put("MILLRACE_ARCHIVE", "off");
        return environment;
    }

    /** By native calls on 25, and by systemd-notify on 17. */
    @ParameterizedTest
    @CsvSource({"25, true", "17, false"})
    @NeedsConnector("apr")
    void whenItIsReadyReloadsAndStops(int java, boolean isAbstract) throws Exception {
        String address = isAbstract
                ? "@millrace-test-" + base.getFileName()
                : base.resolve("notify").toString();
        ProbeServer.prepare(base, "<Connector port='0' address='127.0.0.1'/>", "<Host name='localhost'/>", "");
        Files.createDirectories(base.resolve("webapps/broken/WEB-INF"));
        Files.writeString(base.resolve("webapps/broken/WEB-INF/web.xml"), "<web-app><listener/></web-app>");
        Map<String, String> environment = environment(java, address);
        environment.put("WATCHDOG_USEC", "400000");
        try (Receiver receiver = new Receiver(address);
                Product product = Product.process().environment(environment).launch("start", "--base=" + base)) {
            product.awaitStart();
            receiver.await("READY=1 | STATUS=2 applications, 1 failed: /broken", 1);
            assertTrue(receiver.count("EXTEND_TIMEOUT_USEC=15000000") > 0, "while the applications start");
            receiver.await("WATCHDOG=1", 3);
            assertFalse(environmentOf(product.pid()).contains("NOTIFY_SOCKET"), "programs that it starts inherit it");
            String answer = Command.succeed(
                    Map.of("JAVA_HOME", System.getProperty("java.home")),
                    DIST.resolve("bin/millrace").toString(),
                    "reload",
                    "--config",
                    "--base=" + base);
            assertTrue(answer.contains("conf/server.xml: needs a restart"), answer);
            receiver.await("RELOADING=1 | MONOTONIC_USEC=", 1);
            receiver.await("READY=1", 2);
            assertEquals(0, product.terminate().exitStatus(), product.output());
            receiver.await("STOPPING=1 | STATUS=waiting for running requests", 1);
            receiver.await("STATUS=stopped", 1);
        }
    }

    /** Of the process as the kernel knows it; children get no others. */
    private static String environmentOf(long pid) throws IOException {
        return Files.readString(Path.of("/proc/" + pid + "/environ"), StandardCharsets.ISO_8859_1);
    }

    /** A server that is not told so would be killed after a minute and a half, without a reason. */
    @Test
    void nothingAndDoesNotStartIfItCannotTell() throws Exception {
        ProbeServer.prepare(base, "<Connector port='0' address='127.0.0.1'/>", "<Host name='localhost'/>", "");
        Map<String, String> environment = environment(17, base.resolve("notify").toString());
        Files.createSymbolicLink(base.resolve("dirname"), Path.of("/usr/bin/dirname")); // the script needs it
        environment.put("PATH", base.toString());
        try (Product product = Product.process().environment(environment).launch("start", "--base=" + base)) {
            assertEquals(1, product.exitStatus(), product.output());
            assertTrue(product.output().contains("there is no program systemd-notify in PATH"), product.output());
        }
    }

    /** Of the guide and of the Debian package. */
    @ParameterizedTest
    @CsvSource({
        "docs/guide/service/millrace.service",
        "standalone/src/deb/millrace.service",
        "standalone/src/deb/millrace@.service"
    })
    void byUnitsThatSystemdAcceptsAndFindsSafe(String file) throws Exception {
        Path written = base.resolve(Path.of(file).getFileName().toString().replace("@", "@shop"));
        String unit = Files.readString(ROOT.resolve(file));
        assertTrue(unit.contains("Type=notify\nNotifyAccess=all\n"), unit);
        Files.writeString(
                written,
                unit.replaceAll("(?m)^(Exec\\w+=)\\S+/millrace ", "$1/bin/true ")
                        .replaceAll("User=.*|Group=.*", ""));
        assertEquals("", Command.succeed("systemd-analyze", "verify", written.toString()));
        Command.succeed("systemd-analyze", "security", "--offline=true", "--threshold=25", written.toString());
    }
}
