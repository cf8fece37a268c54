package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.differential.Case;
import io.millrace.standalone.differential.Cases;
import io.millrace.standalone.differential.Comparison;
import io.millrace.standalone.differential.ProbeApplications;
import io.millrace.testkit.LocalPort;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The probe's applications on this build and on Tomcat 9, asked the same. {@code checks/differential} runs it; by the properties
 * {@code millrace.differential.only} (the beginning of cases' names), {@code .transport} and {@code .record}.
 */
@Tag("wars")
final class DifferentialIT {

    static final Path EXPECTED = Path.of("..", "checks", "differential.txt");
    static final Path RECORDED =
            Path.of("src", "test", "resources", "io", "millrace", "standalone", "differential", "tomcat.txt");

    @TempDir
    private Path work = Path.of("");

    @Test
    void answersAsTomcatButWhereItIsMeantToDiffer() throws Exception {
        String only = System.getProperty("millrace.differential.only", "");
        List<Case> cases = Cases.all().stream()
                .filter(each -> each.name().startsWith(only))
                .toList();
        Path theirs = work.resolve("tomcat");
        Path ours = work.resolve("millrace");
        int port = LocalPort.free();
        ProbeApplications.prepare(theirs, port, "HTTP/1.1");
        ProbeApplications.prepare(ours, 0, System.getProperty("millrace.differential.transport", "HTTP/1.1"));
        try (Tomcat tomcat = Tomcat.compared(theirs, port);
                Product product = Product.serving("start", "--base=" + ours)) {
            Comparison comparison =
                    Comparison.of(cases, tomcat.httpPort(), product.ports().get(0), EXPECTED);
            comparison.report(Path.of("target", "differential"));
            if (System.getProperty("millrace.differential.record") != null) {
                Comparison.record(Cases.recorded(), tomcat.httpPort(), RECORDED);
            }
            assertTrue(comparison.requests() > 2000 || !only.isEmpty(), comparison.requests() + " requests");
            assertEquals(
                    List.of(),
                    comparison.unexpected().stream().limit(20).toList(),
                    "differences that are not in the list; all are in target/differential");
            assertEquals(
                    List.of(),
                    only.isEmpty() ? comparison.unused() : List.of(),
                    "rows of the list that no longer differ");
        }
    }
}
