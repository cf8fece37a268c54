package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A process … */
final class JmxReadersTest {

    @Test
    void hasAnAgentIfAnOptionSaysSo() {
        List<String> plain = List.of("java", "-Xmx1g", "-cp", "lib/*", "Main", "start");
        assertFalse(JmxReaders.hasAgent(plain, name -> null));
        assertFalse(JmxReaders.hasAgent(plain, name -> "-Xmx1g -agentlib:jdwp=transport=dt_socket"));
        assertTrue(JmxReaders.hasAgent(List.of("java", "-javaagent:/a b.jar=x", "Main"), name -> null));
        for (String variable : List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")) {
            assertTrue(JmxReaders.hasAgent(plain, Map.of(variable, "-Xmx1g -javaagent:a.jar")::get));
        }
    }
}
