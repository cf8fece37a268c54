package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code undeployOldVersions} of a Host … */
@NullUnmarked
final class OldVersionsIT {

    @TempDir
    private Path base;

    private DeployingHost host;

    @BeforeEach
    void makeBase() throws IOException {
        host = new DeployingHost(base, "undeployOldVersions=\"true\"");
    }

    @AfterEach
    void stop() {
        host.close();
    }

    @Test
    void endsAndDeletesAVersionWhenItsLastSessionEnds() throws Exception {
        host.war("shop##1.war", "one");
        Path own = host.describe("shop##1.xml", "<Context/>");
        host.start();
        begin("first");
        begin("second");
        host.war("shop##2.war", "two");
        host.awaitPage("/shop/", "two");
        assertEquals("gone", host.page("-b", cookies("first"), "/shop/end.jsp"));
        lookTwice("a");
        assertEquals("one", host.page("-b", cookies("second"), "/shop/page.jsp"));
        assertTrue(Files.exists(host.webapps("shop##1.war")));

        assertEquals("gone", host.page("-b", cookies("second"), "/shop/end.jsp"));
        host.product().awaitLine("MILLRACE4776");
        assertEquals("two", host.page("-b", cookies("second"), "/shop/page.jsp"));
        Deadline.await("no WAR", () -> Files.notExists(host.webapps("shop##1.war")));
        Deadline.await("no file of its own", () -> Files.notExists(own));
        lookTwice("b");
        assertTrue(Files.exists(host.webapps("shop##2.war")));
        assertEquals("two", host.page("/shop/page.jsp"));
    }

    @Test
    void keepsAVersionWhoseSessionsAreInTheStore() throws Exception {
        host.war("shop##1.war", "one");
        host.start();
        begin("visitor");
        assertEquals(0, host.product().terminate().exitStatus());
        host.war("shop##2.war", "two");
        host.start();
        lookTwice("a");
        assertEquals("two", host.page("/shop/page.jsp"));
        assertEquals("one", host.page("-b", cookies("visitor"), "/shop/page.jsp"));
        assertFalse(host.product().output().contains("MILLRACE4776"));
    }

    @Test
    void keepsAVersionWhoseSuccessorDoesNotStart() throws Exception {
        host.war("shop##1.war", "one");
        host.start();
        host.war("shop##2.war", "two", "<web-app><security-constraints/></web-app>");
        host.product().awaitLine("MILLRACE4772");
        lookTwice("a");
        assertEquals("one", host.page("/shop/page.jsp"));
        assertTrue(Files.exists(host.webapps("shop##1.war")));
    }

    private void begin(String visitor) {
        assertEquals("one", host.page("-c", cookies(visitor), "/shop/page.jsp"));
    }

    /** A new application is deployed at the second look that sees it. */
    private void lookTwice(String name) throws IOException {
        host.war(name + ".war", name);
        host.awaitPage("/" + name + "/", name);
    }

    private String cookies(String visitor) {
        return base.resolve(visitor).toString();
    }
}
