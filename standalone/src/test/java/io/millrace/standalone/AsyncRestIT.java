package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The asynchronous demo of Jetty: annotated servlets and a fragment in a jar, and Jetty's own client in WEB-INF/lib … */
@Tag("wars")
final class AsyncRestIT {

    @Test
    void findsItsServletsInAJar(@TempDir Path directory) throws Exception {
        try (Product product = Product.serving(
                "run", "--port=0", "--address=127.0.0.1", Product.war("demo-async-rest-webapp") + "=/rest")) {
            Visitor visitor = new Visitor(product.url("/rest"), directory.resolve("cookies"));
            assertTrue(visitor.visit("/").says("Asynchronous"), "index");
            assertTrue(visitor.visit("/demo.css").says("font-family"), "style");
            assertEquals(
                    200,
                    visitor.visit("/small_powered_by.gif", "-o", "/dev/null").status());
            // both ask a service that is no more, or that this machine can't reach: an error of theirs, not a missing
            // servlet
            assertEquals(500, visitor.visit("/testSerial?items=kayak").status());
            product.awaitLine("SerialRestServlet");
        }
    }
}
