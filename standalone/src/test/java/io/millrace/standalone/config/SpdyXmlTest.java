package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.HttpOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import io.millrace.standalone.config.connector.Protocols;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.testkit.NeedsConnector;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** SPDY in a server.xml … */
@NeedsConnector("spdy")
final class SpdyXmlTest {

    private static final String SPDY = "<UpgradeProtocol className='io.millrace.connector.spdy.SpdyProtocol' %s/>";

    private final Problems problems = new Problems("server.xml");

    @Test
    void isAddedToHttpByAnUpgradeProtocol() {
        ServerConfig.Connector connector = connector("maxHeaderCount='50'", SPDY.formatted("maxHeaderSize='5000'"));
        assertFalse(connector.isSpdy());
        Settings settings = only(connector);
        assertEquals("3.1", text(settings, "version"));
        assertEquals(5000, settings.get(HttpOptions.MAX_REQUEST_HEADER_SIZE));
        assertEquals(8192, connector.settings().get(HttpOptions.MAX_REQUEST_HEADER_SIZE));
        assertEquals(List.of(), found());
    }

    @Test
    void mayComeInBothVersionsAndBesideHttp2() {
        ServerConfig.Connector connector = connector(
                "",
                SPDY.formatted("") + SPDY.formatted("version='3'")
                        + "<UpgradeProtocol className='org.apache.coyote.http2.Http2Protocol'/>");
        assertEquals(
                List.of("3.1", "3"),
                connector.spdy().stream().map(each -> each.shown("version")).toList());
        assertNotNull(connector.http2());
        assertEquals(List.of(), found());
    }

    @ParameterizedTest
    @CsvSource({"SPDY/3.1, 3.1", "SPDY/3, 3"})
    void isAPortOfItsOwnByItsName(String protocol, String version) {
        ServerConfig.Connector connector =
                connector("protocol='" + protocol + "' maxConcurrentStreams='7' maxHeaderCount='50'", "");
        assertTrue(connector.isSpdy());
        assertEquals("nio", connector.transport());
        assertEquals(version, text(only(connector), "version"));
        assertEquals("7", text(only(connector), "maxConcurrentStreams"));
        assertEquals(List.of(), found());
    }

    @Test
    void takesNoOtherProtocolOnAPortOfItsOwn() {
        String http2 = "<UpgradeProtocol className='org.apache.coyote.http2.Http2Protocol'/>";
        assertNull(connector("protocol='SPDY/3.1'", http2).http2());
        assertEquals(List.of("server.xml:1: warning: unknown element 'UpgradeProtocol' in Connector"), found());
    }

    @ParameterizedTest
    @CsvSource({"version, 2", "maxConcurrentStreams, 0", "initialWindowSize, -1", "maxTrailerCount, many"})
    void isAnErrorWithAWrongValue(String name, String value) {
        assertNull(parse("", SPDY.formatted(name + "='" + value + "'")));
        String begin = "server.xml:1: error: " + name + "=\"" + value + "\" on UpgradeProtocol: expected ";
        assertTrue(found().get(0).startsWith(begin), found().get(0));
    }

    private static Settings only(ServerConfig.Connector connector) {
        assertEquals(1, connector.spdy().size());
        return connector.settings().overriddenBy(connector.spdy().get(0).settings());
    }

    private static String text(Settings settings, String name) {
        return Protocols.settings("spdy").stream()
                .filter(setting -> setting.name().equals(name))
                .map(setting -> String.valueOf(settings.get((Setting<?>) setting)))
                .collect(Collectors.joining());
    }

    private ServerConfig.Connector connector(String attributes, String children) {
        ServerConfig config = parse(attributes, children);
        assertNotNull(config, () -> String.join("\n", found()));
        return config.services().get(0).connectors().get(0);
    }

    private @Nullable ServerConfig parse(String attributes, String children) {
        return new ServerXml(Path.of("/base"), Set.of("nio"), problems)
                .parse("<Server><Service><Connector port='0' " + attributes + ">" + children
                        + "</Connector><Engine><Host/></Engine></Service></Server>");
    }

    private List<String> found() {
        return problems.inOrder().stream().map(Problem::toString).toList();
    }
}
