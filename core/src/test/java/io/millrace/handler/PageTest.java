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
