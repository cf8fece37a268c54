package io.millrace.standalone;

import static io.millrace.standalone.OpensslClient.LOCALHOST;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Certificate files that change while the server runs … */
@NullUnmarked
final class CertificateReloadIT {

    /** They are looked at every ten seconds, by a server with a lot to do. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** Longer than the test takes; it is interrupted. */
    private static final int SECONDS = 180;

    @TempDir
    private Path base;

    private AllTransports ports;
    private CertificateAuthority authority;

    @BeforeEach
    void start() throws Exception {
        ports = AllTransports.start(base);
        authority = ports.authority();
    }

    @AfterEach
    void stop() {
        ports.close();
    }

    static Iterable<String> transports() {
        List<String> transports = new ArrayList<>(AllTransports.TRANSPORTS);
        transports.add("nio+openssl");
        return transports;
    }

    @ParameterizedTest
    @MethodSource("transports")
    void areServedToNewConnectionsAndNoRequestFails(String transport) throws Exception {
        authority.makeRsa("renewed", "renewed", "localhost");
        String url = ports.url(transport, "https", "/hello");
        try (Wrk kept = Wrk.start(40, SECONDS, url);
                Wrk fresh = Wrk.start(4, SECONDS, url, "-H", "Connection: close")) {
            assertTrue(subject(transport).contains("CN = localhost"));
            authority.replace("localhost", "renewed");
            awaitSubject(transport, "CN = renewed");
            assertTrue(kept.isRunning() && fresh.isRunning());
            kept.interrupt().assertNothingFailed();
            fresh.interrupt().assertNothingFailed();
        }
    }

    @Test
    void areNotTakenWhenTheyAreBrokenAndTheLogSaysWhy() throws Exception {
        Path file = authority.certificate("localhost");
        String good = Files.readString(file);
        CertificateAuthority.replace(file, good.substring(0, good.length() / 2));
        String line = ports.product().awaitLine("MILLRACE0761");
        assertTrue(line.contains("localhost.pem"), line);
        assertTrue(subject("nio").contains("CN = localhost"));
        authority.makeRsa("repaired", "repaired", "localhost");
        authority.replace("localhost", "repaired");
        awaitSubject("nio", "CN = repaired");
    }

    private void awaitSubject(String transport, String name) {
        Deadline.await(
                "a certificate of " + name, LONGEST, () -> subject(transport).contains(name));
    }

    private String subject(String transport) {
        try {
            return ports.openssl(transport)
                    .hello(LOCALHOST)
                    .lines()
                    .filter(line -> line.startsWith("subject="))
                    .findFirst()
                    .orElse("no certificate");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
