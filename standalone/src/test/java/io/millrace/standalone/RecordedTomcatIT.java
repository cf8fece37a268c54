package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.differential.Cases;
import io.millrace.standalone.differential.Comparison;
import io.millrace.standalone.differential.ProbeApplications;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short form of {@link DifferentialIT}: guards and dispatches, compared with what Tomcat answered when it was recorded. */
final class RecordedTomcatIT {

    @TempDir
    private Path work = Path.of("");

    @Test
    void answersAsTomcatDid() throws Exception {
        ProbeApplications.prepare(work, 0, "HTTP/1.1");
        try (Product product = Product.serving("start", "--base=" + work)) {
            Comparison comparison = Comparison.withRecorded(
                    Cases.recorded(), DifferentialIT.RECORDED, product.ports().get(0), DifferentialIT.EXPECTED);
            assertTrue(comparison.requests() > 300, comparison.requests() + " requests");
            assertEquals(List.of(), comparison.unexpected());
        }
    }
}
