package io.millrace.websocket.jsr.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import javax.websocket.DeploymentException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The paths of endpoints (JSR 356, 3.1.1): a table of them … */
class PathTemplatesTest {

    private final PathTemplates<String> templates = new PathTemplates<>();

    private String add(String path) throws DeploymentException {
        return String.valueOf(templates.add(path, path));
    }

    private String found(String path) {
        var match = templates.find(path);
        return match == null ? "none" : match.endpoint() + " " + match.parameters();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/a/b                | /a/b {}",
                "/a/x                | /a/{var} {var=x}",
                "/a/b/c              | /a/b/{var2} {var2=c}",
                "/a/d/c              | /a/{var1}/c {var1=d}",
                "/a/d/e              | none",
                "/a/                 | none",
                "/a//c               | none",
                "/                   | / {}",
                "/trailing/          | /trailing/ {}",
                "/trailing           | none",
                "/x/ä b/%            | /x/{one}/{two} {one=ä b, two=%}",
                "/A/b                | none",
            })
    void leadsAPathToItsEndpoint(String path, String endpoint) throws DeploymentException {
        for (String each :
                new String[] {"/a/{var}", "/a/{var1}/c", "/a/b/{var2}", "/a/b", "/", "/trailing/", "/x/{one}/{two}"}) {
            assertEquals("null", add(each));
        }
        assertEquals(endpoint, found(path));
    }

    @Test
    void isIdleUntilThereIsOne() throws DeploymentException {
        assertTrue(templates.isEmpty());
        assertNull(templates.find("/"));
        add("/{all}");
        assertEquals("/{all} {all=x}", found("/x"));
    }

    @Test
    void givesBackTheEndpointThatHasThePathAlready() throws DeploymentException {
        add("/chat");
        add("/chat/{room}");
        assertEquals("/chat", add("/chat"));
        assertEquals("/chat/{room}", add("/chat/{other}"));
        assertEquals(
                Map.of("room", "1"),
                java.util.Objects.requireNonNull(templates.find("/chat/1")).parameters());
    }

    @Test
    void replacesAnEndpoint() throws DeploymentException {
        add("/chat");
        add("/chat/{room}");
        templates.replace("/chat", "new");
        templates.replace("/chat/{room}", "newer");
        assertEquals("new {}", found("/chat"));
        assertEquals("newer {room=1}", found("/chat/1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "chat",
                "/a/../b",
                "/./a",
                "//a",
                "/a//b",
                "/{a",
                "/a}",
                "/x{a}",
                "/{a}x",
                "/{}",
                "/{a b}",
                "/{a}/{a}",
                "/a?b",
                "/a#b",
                "/{+a}"
            })
    void refuses(String path) {
        assertThrows(DeploymentException.class, () -> add(path));
    }
}
