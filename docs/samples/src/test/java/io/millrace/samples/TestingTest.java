package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The samples of tests with a server, with the newest JUnit … */
@Timeout(60)
class TestingTest {

    private static TestExecutionSummary run(Class<?> type) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(type))
                                .build(),
                        listener);
        return listener.getSummary();
    }

    private static void passes(Class<?> type) {
        TestExecutionSummary summary = run(type);
        StringWriter failures = new StringWriter();
        summary.printFailuresTo(new PrintWriter(failures), 100);
        assertEquals("", failures.toString().strip());
        assertEquals(1, summary.getTestsSucceededCount());
    }

    @Test
    void passWithTheAnnotation() {
        passes(Testing.OrdersTest.class);
    }

    @Test
    void passWithTheExtension() {
        passes(Testing.ShopTest.class);
    }

    @Test
    void haveNoServerOutsideOfTests() {
        assertThrows(IllegalStateException.class, Testing.war()::uri);
    }
}
