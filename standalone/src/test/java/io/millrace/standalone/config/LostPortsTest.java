package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.testkit.Connectors;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A mistake that concerns one Connector … */
final class LostPortsTest {

    private static final String AJP = "<Connector protocol='AJP/1.3' port='18009'/>";
    private static final String NO_KEYSTORE = "<Connector port='18443' SSLEnabled='true'><SSLHostConfig>"
            + "<Certificate certificateKeystoreFile='missing.p12'/></SSLHostConfig></Connector>";

    @TempDir
    private Path base = Path.of("");

    private final Problems problems = new Problems("server.xml");

    private @Nullable ServerConfig parse(String connectors) {
        return new ServerXml(base, Set.of("nio"), problems)
                .parse("<Server><Service>" + connectors + "<Engine><Host/></Engine></Service></Server>");
    }

    private List<String> found() {
        return problems.inOrder().stream().map(Problem::toString).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {AJP, NO_KEYSTORE})
    void costsThatPortAlone(String wrong) {
        Connectors.assume(wrong.equals(AJP), "ajp");
        ServerConfig config = parse(wrong + "<Connector port='18080'/>");
        assertNotNull(config, () -> found().toString());
        List<ServerConfig.Connector> connectors = config.services().get(0).connectors();
        assertEquals(
                List.of(18080),
                connectors.stream().map(ServerConfig.Connector::port).toList());
        assertTrue(problems.hasMistakes());
        assertFalse(problems.hasErrors());
        assertTrue(found().get(0).startsWith("server.xml:1: error: "), () -> found().toString());
        assertTrue(found().get(0).endsWith("; this port is not opened"), () -> found().toString());
    }

    @Test
    void stopsTheStartWhereThereIsNoOtherConnector() {
        assertNull(parse(AJP + NO_KEYSTORE));
        assertTrue(problems.hasErrors());
        assertEquals("2 errors, no warnings", problems.summary());
    }

    @Test
    void stopsTheStartIfItsValueMeansNothing() {
        assertNull(parse("<Connector port='99999'/><Connector port='18080'/>"));
        assertTrue(problems.hasErrors());
    }
}
