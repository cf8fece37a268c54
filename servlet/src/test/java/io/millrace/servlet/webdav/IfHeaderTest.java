package io.millrace.servlet.webdav;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The If field (RFC 4918, 10.4) … */
class IfHeaderTest {

    @Test
    void hasListsForTheResourceOfTheRequest() throws Exception {
        IfHeader header = IfHeader.parse("(<urn:a> [\"x\"])\t(Not <DAV:no-lock>not[W/\"y\"])");
        IfHeader.Condition token = new IfHeader.Condition(false, "urn:a", null);
        IfHeader.Condition etag = new IfHeader.Condition(false, null, "\"x\"");
        IfHeader.Condition no = new IfHeader.Condition(true, "DAV:no-lock", null);
        IfHeader.Condition other = new IfHeader.Condition(true, null, "W/\"y\"");
        assertEquals(
                List.of(
                        new IfHeader.Conditions(null, List.of(token, etag)),
                        new IfHeader.Conditions(null, List.of(no, other))),
                header.lists());
        assertTrue(header.submits("urn:a"));
        assertFalse(header.submits("urn:b"));
    }

    @Test
    void hasListsForOtherResources() throws Exception {
        List<IfHeader.Conditions> lists = IfHeader.parse("<http://a/b> (<urn:a>) (<urn:b>) </c> (<urn:c>)")
                .lists();
        assertEquals(
                List.of("http://a/b", "http://a/b", "/c"),
                lists.stream().map(IfHeader.Conditions::tag).toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "urn:a",
                "<urn:a>",
                "()",
                "(",
                "(<urn:a>",
                "(<urn:a",
                "(\"x\")",
                "([\"x\")",
                "(Not)",
                "(<urn:a>) x",
                "(<urn:a>) </c> (<urn:b>)",
                "<a> <b> (<urn:a>)",
                "(Not Not <urn:a>)"
            })
    void isRefusedIfMalformed(String field) {
        assertEquals(
                400, assertThrows(DavFault.class, () -> IfHeader.parse(field)).status());
    }
}
