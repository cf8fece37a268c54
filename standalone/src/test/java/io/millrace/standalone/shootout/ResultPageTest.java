package io.millrace.standalone.shootout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The report of a shoot-out … */
final class ResultPageTest {

    /** What makes a browser ask somebody, or run something. */
    private static final Pattern REFERENCE = Pattern.compile(
            "(?i)https?:|url\\(|@import|<script|<link|<img|<iframe|<use|\\b(src|href|srcset|action|on[a-z]+)=");

    private static final ShootoutResult RESULT = SampleResult.of(0.02, 1.05);
    private static final String PAGE = ResultPage.of(RESULT, Advice.of(RESULT));

    @Test
    void refersToNothingOutside() {
        assertEquals(
                List.of(),
                REFERENCE.matcher(PAGE).results().map(found -> found.group()).toList());
    }

    @Test
    void beginsWithTheAdvice() {
        int advice = PAGE.indexOf("Without TLS use nio: ");
        assertTrue(advice > 0 && advice < PAGE.indexOf("<svg"), PAGE);
        ShootoutResult busy = SampleResult.of(0.4, 1.05);
        assertTrue(
                ResultPage.of(busy, Advice.of(busy)).contains("<p class=\"message failed\">The machine was too busy"));
    }

    /** Two workloads by rate and by processor time, latency of two numbers of clients, four charts of servlets that wait. */
    @Test
    void hasAChartForEachQuestion() {
        assertEquals(2 + 2 + 2 + 4, PAGE.split("<svg ", -1).length - 1);
        assertFalse(PAGE.contains("NaN"), PAGE);
    }

    @Test
    void escapesWhatOthersSaid() {
        assertTrue(PAGE.contains("libapr-1.so.0 is &lt;not&gt; installed"), PAGE);
    }
}
