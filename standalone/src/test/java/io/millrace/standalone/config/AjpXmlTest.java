package io.millrace.standalone.config;

import static io.millrace.protocol.ProtocolOptions.CONNECTION_TIMEOUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.ProtocolOptions;
import io.millrace.settings.Setting;
import io.millrace.standalone.config.connector.Protocols;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.testkit.NeedsConnector;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An AJP Connector in a server.xml … */
@NeedsConnector("ajp")
final class AjpXmlTest {

    private final Problems problems = new Problems("server.xml");

    @ParameterizedTest
    @CsvSource({
        "AJP/1.3, nio",
        "org.apache.coyote.ajp.AjpNioProtocol, nio",
        "org.apache.coyote.ajp.AjpNio2Protocol, nio2",
        "org.apache.coyote.ajp.AjpAprProtocol, apr",
        "org.apache.coyote.ajp.AjpProtocol, bio"
    })
    void meansATransportByTomcatsNames(String protocol, String transport) {
        ServerConfig.Connector connector = connector("protocol='" + protocol + "' secret='s'");
        assertTrue(connector.isAjp());
        assertEquals(transport, connector.transport());
        assertEquals(List.of(), found());
    }

    @Test
    void listensOnLoopbackAndPort8009AndWaitsForEver() {
        ServerConfig.Connector connector = connector("protocol='AJP/1.3' secret='s'");
        assertEquals("127.0.0.1", connector.address());
        assertEquals(8009, connector.port());
        assertEquals(Duration.ZERO, connector.settings().get(CONNECTION_TIMEOUT));
        assertEquals(Duration.ZERO, ProtocolOptions.keepAliveTimeout(connector.settings()));
    }

    @Test
    void readsWhatTheProtocolDeclares() {
        ServerConfig.Connector connector = connector("protocol='AJP/1.3' secret='s' packetSize='20000' ajpFlush='false'"
                + " allowedRequestAttributesPattern='shop.*' tomcatAuthentication='false' maxHeaderCount='-1'");
        assertEquals("s", declared(connector, "secret"));
        assertEquals(20_000, declared(connector, "packetSize"));
        assertEquals(false, declared(connector, "ajpFlush"));
        assertEquals("shop.*", String.valueOf(declared(connector, "allowedRequestAttributesPattern")));
        assertEquals(false, declared(connector, "tomcatAuthentication"));
        assertEquals(Integer.MAX_VALUE, connector.settings().get(ProtocolOptions.MAX_HEADER_COUNT));
        assertEquals(List.of(), found());
    }

    @Test
    void takesTheSecretByItsOldName() {
        ServerConfig.Connector connector = connector("protocol='AJP/1.3' requiredSecret='s'");
        assertEquals("s", declared(connector, "requiredSecret"));
        assertEquals(List.of(), found());
    }

    @Test
    void isAnErrorWithoutASecretThatSaysTheTwoLinesWhichMendIt() {
        assertNull(parse("protocol='AJP/1.3' port='18009'"));
        String error = found().get(0);
        assertTrue(error.startsWith("server.xml:3: error: the AJP Connector has no secret"), error);
        assertTrue(
                error.matches(
                        "(?s).*\n    <Connector protocol=\"AJP/1.3\" port=\"18009\" secret=\"(\\p{XDigit}{32})\" />"
                                + "\n    ProxyPass \"/\" \"ajp://127.0.0.1:18009/\" secret=\\1\n.*secretRequired.*"),
                error);
    }

    @Test
    void mayGoWithoutASecretWhereTheOperatorSaysSo() {
        connector("protocol='AJP/1.3' secretRequired='false'");
        assertEquals(List.of(), found());
        connector("protocol='AJP/1.3' secretRequired='false' address='0.0.0.0'");
        assertEquals(1, found().size());
        assertTrue(found().get(0).contains("anybody who can reach it can pose as any user"), found().get(0));
    }

    @ParameterizedTest
    @CsvSource({
        "allowedRequestAttributesPattern='(', expected a regular expression",
        "SSLEnabled='true', expected false, because AJP has no TLS",
        "packetSize='x', expected a number from 1 to 2147483647",
        "secretRequired='no', expected true or false"
    })
    void refusesWhatMeansNothing(String attribute, String error) {
        assertNull(parse("protocol='AJP/1.3' secret='s' " + attribute));
        assertTrue(found().get(0).contains(error), found().get(0));
    }

    @ParameterizedTest
    @CsvSource({"maxHttpHeaderSize, 9000", "allowHalfClose, false"})
    void saysWhatIsForHttpOnly(String attribute, String value) {
        connector("protocol='AJP/1.3' secret='s' " + attribute + "='" + value + "'");
        assertEquals(
                List.of("server.xml:3: warning: " + attribute + " on Connector is ignored:"
                        + " it applies to HTTP only"),
                found());
    }

    @ParameterizedTest
    @CsvSource({
        "socket.soTimeout='300', 300",
        "socket.soTimeout='300' connectionTimeout='400', 400",
        "keepAliveTimeout='500', 0"
    })
    void waitsAsLongAsEitherNameOfTheTimeoutSays(String attributes, long expected) {
        ServerConfig.Connector connector = connector("protocol='AJP/1.3' secret='s' " + attributes);
        assertEquals(Duration.ofMillis(expected), connector.settings().get(CONNECTION_TIMEOUT));
    }

    /** A certificate could make somebody think that the port is protected. */
    @Test
    void saysThatThereIsNoTls() {
        connector("protocol='AJP/1.3' secret='s'><SSLHostConfig/></Connector");
        assertEquals(
                List.of("server.xml:3: warning: SSLHostConfig is ignored: its Connector is for AJP, which has no TLS"),
                found());
    }

    /** The value of a setting that the protocol declares. */
    private static Object declared(ServerConfig.Connector connector, String name) {
        Setting<?> setting = Protocols.settings("ajp").stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        return connector.settings().get(setting);
    }

    private ServerConfig.Connector connector(String attributes) {
        ServerConfig config = parse(attributes);
        assertNotNull(config, () -> found().toString());
        return config.services().get(0).connectors().get(0);
    }

    private @Nullable ServerConfig parse(String attributes) {
        return new ServerXml(Path.of("/base"), Set.of("apr", "bio", "nio", "nio2"), problems)
                .parse("<Server>\n<Service>\n<Connector " + attributes + (attributes.endsWith("Connector") ? "" : "/")
                        + ">\n<Engine><Host/></Engine></Service></Server>");
    }

    private List<String> found() {
        return problems.inOrder().stream().map(Problem::toString).toList();
    }
}
