package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.differential.Case;
import io.millrace.standalone.differential.Cases;
import io.millrace.standalone.differential.Comparison;
import io.millrace.standalone.differential.ProbeApplications;
import io.millrace.testkit.Transports;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The short form of {@link DifferentialIT}: guards and dispatches, compared with what Tomcat answered when it was recorded. All over nio,
 * and a part of them over each other transport.
 */
final class RecordedTomcatIT {

    @TempDir
    private Path work = Path.of("");

    @Test
    void answersAsTomcatDid() throws Exception {
        List<String> transports = Transports.installed();
        List<Case> cases = Cases.recorded();
        ProbeApplications.prepare(work, transports);
        try (Product product = Product.serving("start", "--base=" + work)) {
            List<Integer> ports = product.ports();
            assertEquals(transports.size(), ports.size(), transports + " at " + ports);
            for (int i = 0; i < ports.size(); i++) {
                int part = i;
                List<Case> asked = IntStream.range(0, cases.size())
                        .filter(at -> at % ports.size() == part
                                || transports.get(part).equals("nio"))
                        .mapToObj(cases::get)
                        .toList();
                Comparison comparison =
                        Comparison.withRecorded(asked, DifferentialIT.RECORDED, ports.get(i), DifferentialIT.EXPECTED);
                assertTrue(comparison.requests() >= asked.size(), comparison.requests() + " requests");
                assertEquals(List.of(), comparison.unexpected(), transports.get(i));
            }
        }
    }
}
