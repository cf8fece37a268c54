package io.millrace.standalone;

import static io.millrace.standalone.OpensslClient.LOCALHOST;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Connectors;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.Transports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Certificate files that change while the server runs … */
@NullUnmarked
final class CertificateReloadIT {

    /** They are looked at twice a second, by a server with a lot to do. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private static final String OTHER = "shop.other.test";

    /** Longer than the test takes; it is interrupted. */
    private static final int SECONDS = 180;

    @TempDir
    private static Path base;

    private static AllTransports ports;
    private static CertificateAuthority authority;

    @BeforeAll
    static void start() throws Exception {
        ports = AllTransports.start(base);
        authority = ports.authority();
    }

    @AfterAll
    static void stop() {
        ports.close();
    }

    static Iterable<String> transports() {
        List<String> transports = new ArrayList<>(AllTransports.TRANSPORTS);
        if (Connectors.contain("openssl")) {
            transports.add(Transports.byDefault() + "+openssl");
        }
        return transports;
    }

    @ParameterizedTest
    @MethodSource("transports")
    void areServedToNewConnectionsAndNoRequestFails(String transport) throws Exception {
        String renewed = transport.replace('+', '-') + "-renewed";
        authority.makeRsa(renewed, renewed, "localhost");
        String before = subject(transport, LOCALHOST);
        String url = ports.url(transport, "https", "/hello");
        try (Wrk kept = Wrk.start(40, SECONDS, url);
                Wrk fresh = Wrk.start(4, SECONDS, url, "-H", "Connection: close")) {
            assertTrue(before.contains("CN = ") && !before.contains(renewed), before);
            authority.replace("localhost", renewed);
            awaitSubject(transport, LOCALHOST, renewed);
            assertTrue(kept.isRunning() && fresh.isRunning());
            kept.interrupt().assertNothingFailed();
            fresh.interrupt().assertNothingFailed();
        }
    }

    @Test
    void areNotTakenWhenTheyAreBrokenAndTheLogSaysWhy() throws Exception {
        Path file = authority.certificate("other");
        String good = Files.readString(file);
        CertificateAuthority.replace(file, good.substring(0, good.length() / 2));
        Deadline.await(
                "a refusal of other.pem",
                () -> ports.product().lines().stream()
                        .anyMatch(line -> line.contains("MILLRACE0761") && line.contains("other.pem")));
        assertTrue(subject(Transports.byDefault(), OTHER).contains("CN = other"));
        authority.makeEc("repaired", "repaired", OTHER);
        authority.replace("other", "repaired");
        awaitSubject(Transports.byDefault(), OTHER, "repaired");
    }

    private static void awaitSubject(String transport, String host, String name) {
        Deadline.await(
                "a certificate of " + name,
                LONGEST,
                () -> subject(transport, host).contains("CN = " + name));
    }

    private static String subject(String transport, String host) {
        try {
            return ports.openssl(transport)
                    .hello(host)
                    .lines()
                    .filter(line -> line.startsWith("subject="))
                    .findFirst()
                    .orElse("no certificate");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
