package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.Headers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A page of the server … */
class PageTest {

    private static String between(String text, String before, String after) {
        int from = text.indexOf(before) + before.length();
        return text.substring(from, text.indexOf(after, from));
    }

    @Test
    void hasAPolicyThatAdmitsItsStyleByItsHash() throws Exception {
        String style = between(Page.titled("x").end(), "<style>", "</style>");
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(style.getBytes(StandardCharsets.UTF_8));
        assertEquals(
                Base64.getEncoder().encodeToString(hash), between(Page.SECURITY_POLICY, "style-src 'sha256-", "'"));
    }

    @ParameterizedTest
    @CsvSource({"0, text, 7", "0, soft, 4.5", "0, link, 4.5", "1, text, 7", "1, soft, 4.5", "1, link, 4.5"})
    void hasColoursOfEnoughContrastInBothSchemes(int scheme, String colour, double least) {
        String palette = Page.titled("x").end().split("--ground:", -1)[scheme + 1];
        double ground = luminance(palette.substring(0, 7));
        double own = luminance(after(palette, colour));
        double ratio = (Math.max(ground, own) + 0.05) / (Math.min(ground, own) + 0.05);
        assertTrue(ratio >= least, colour + " " + ratio);
    }

    private static String after(String palette, String colour) {
        int from = palette.indexOf("--" + colour + ":") + colour.length() + 3;
        return palette.substring(from, from + 7);
    }

    /** Relative luminance of a colour such as #1f2429 (WCAG 2.1). */
    private static double luminance(String colour) {
        double[] parts = new double[3];
        for (int i = 0; i < 3; i++) {
            double part = Integer.parseInt(colour.substring(1 + 2 * i, 3 + 2 * i), 16) / 255.0;
            parts[i] = part <= 0.03928 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
    }

    @Test
    void leavesAPolicyThatIsThere() {
        Headers headers = new Headers().add("content-security-policy", "default-src 'self'");
        Page.protect(headers);
        assertEquals(List.of("default-src 'self'"), headers.all("Content-Security-Policy"));
    }

    @Test
    void escapesTitleAndText() {
        String page =
                Page.titled("</title><script>").text("<a href='x' title=\"&\">").end();
        assertTrue(page.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"), page);
        assertTrue(page.contains("&lt;a href=&#39;x&#39; title=&quot;&amp;&quot;&gt;"), page);
        assertFalse(page.contains("<script>"), page);
    }
}
