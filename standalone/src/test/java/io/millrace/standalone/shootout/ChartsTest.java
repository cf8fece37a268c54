package io.millrace.standalone.shootout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A chart … */
final class ChartsTest {

    private static List<Double> numbers(String pattern, String svg) {
        return Pattern.compile(pattern)
                .matcher(svg)
                .results()
                .map((MatchResult found) -> Double.valueOf(found.group(1)))
                .toList();
    }

    @Test
    void hasBarsInProportion() {
        Charts.Bars chart = new Charts.Bars("Rate");
        chart.bar("plain", "nio", "0", 100, 90, 100, "100");
        chart.bar("plain", "bio", "3", 25, Double.NaN, Double.NaN, "25 <a>");
        chart.bar("JSSE", "nio", "0", Double.NaN, Double.NaN, Double.NaN, "–");
        String svg = chart.svg();
        List<Double> widths = numbers("width=\"([0-9.]+)\" height", svg);
        assertEquals(3, widths.size(), svg);
        assertEquals(4, widths.get(0) / widths.get(1), 0.01);
        assertEquals(0, widths.get(2));
        assertTrue(svg.contains("25 &lt;a&gt;"), svg);
        assertFalse(svg.contains("NaN"), svg);
    }

    @Test
    void keepsTheNamesOfItsLinesApart() {
        Charts.Lines chart = new Charts.Lines("MB/s");
        for (int i = 0; i < 4; i++) {
            chart.line("line" + i, "" + i, List.of(new double[] {4096, 100}, new double[] {8192, 200 + i}));
        }
        chart.mark(4096, "4KiB");
        chart.mark(8192, "8KiB");
        List<Double> places = numbers("class=\"f[0-4]\" x=\"[0-9]+\" y=\"([0-9.]+)\"", chart.svg()).stream()
                .sorted()
                .toList();
        assertEquals(4, places.size());
        for (int i = 1; i < places.size(); i++) {
            assertTrue(places.get(i) - places.get(i - 1) >= 12, places.toString());
        }
    }
}
