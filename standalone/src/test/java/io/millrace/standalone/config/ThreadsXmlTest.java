package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.io.VirtualThreads;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.testkit.Connectors;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a Connector says of its threads … */
final class ThreadsXmlTest {

    private static final String ALL = "maxThreads='5' minSpareThreads='2' threadsMaxIdleTime='900' maxQueueSize='3'";

    private final Problems problems = new Problems("server.xml");

    @ParameterizedTest
    @ValueSource(strings = {"protocol='nio' " + ALL, "protocol='nio2' " + ALL, "protocol='AJP/1.3' secret='s' " + ALL})
    void hasItsEffect(String attributes) {
        Connectors.assume(attributes.contains("AJP"), "ajp");
        assertEquals(List.of(), warnings(attributes));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            protocol='nio' executor='shared' | the Executor named by executor determines it
            protocol='bio' executor='shared' | the Executor named by executor determines it
            """)
    void isSaidToHaveNoneBesideAnExecutor(String attributes, String why) {
        List<String> warnings = warnings(attributes + " useVirtualThreads='false' " + ALL);
        assertEquals(5, warnings.size(), warnings::toString);
        assertTrue(warnings.stream().allMatch(warning -> warning.endsWith("is ignored: " + why)), warnings::toString);
    }

    @Test
    void isSaidToHaveNoneOnBioButForTheMostThreads() {
        List<String> warnings = warnings("protocol='bio' useVirtualThreads='false' " + ALL);
        assertEquals(3, warnings.size(), warnings::toString);
        assertTrue(
                warnings.stream().allMatch(warning -> warning.contains("bio keeps no idle threads")),
                warnings::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"protocol='bio'", "protocol='bio' useVirtualThreads='true'", "useVirtualThreads='true'"})
    void isSaidToHaveNoneOnVirtualThreads(String attributes) {
        assumeTrue(VirtualThreads.areAvailable());
        List<String> warnings = warnings(attributes + " " + ALL);
        assertEquals(4, warnings.size(), warnings::toString);
        assertTrue(
                warnings.stream().allMatch(warning -> warning.contains("maxConnections limits")), warnings::toString);
    }

    @Test
    void isSaidToHaveNoneOnAnExecutorOfVirtualThreads() {
        assumeTrue(VirtualThreads.areAvailable());
        new ServerXml(Path.of("/base"), Set.of("nio"), problems)
                .parse("<Server><Service><Executor name='light' maxThreads='5' namePrefix='light-' className="
                        + "'org.apache.catalina.core.StandardVirtualThreadExecutor'/><Connector port='0' executor='light'/>"
                        + "<Engine><Host/></Engine></Service></Server>");
        assertEquals(1, problems.inOrder().size(), () -> problems.inOrder().toString());
        assertTrue(problems.inOrder().get(0).toString().contains("maxThreads on Executor is ignored"));
    }

    private List<String> warnings(String attributes) {
        new ServerXml(Path.of("/base"), Set.of("bio", "nio", "nio2"), problems)
                .parse("<Server><Service><Executor name='shared'/><Connector port='0' " + attributes
                        + "/><Engine><Host/></Engine></Service></Server>");
        return problems.inOrder().stream().map(Problem::toString).toList();
    }

    @Test
    void saysThatOnlyNioHasALoopToChoose() {
        assertEquals(List.of(), warnings("protocol='nio' loop='xnio'"));
        List<String> warnings = warnings("protocol='nio2' loop='selector'");
        assertEquals(1, warnings.size(), warnings.toString());
        assertTrue(warnings.get(0).contains("only the transport nio has event loops to choose from"), warnings.get(0));
    }
}
