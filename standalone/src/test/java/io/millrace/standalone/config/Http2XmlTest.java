package io.millrace.standalone.config;

import static io.millrace.protocol.ProtocolOptions.CONNECTION_TIMEOUT;
import static io.millrace.protocol.ProtocolOptions.KEEP_ALIVE_TIMEOUT;
import static io.millrace.protocol.ProtocolOptions.MAX_HEADER_COUNT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.protocol.HttpOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import io.millrace.standalone.config.connector.Protocols;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.testkit.NeedsConnector;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The UpgradeProtocol of HTTP/2 in a server.xml … */
@NeedsConnector("http2")
final class Http2XmlTest {

    private static final String CLASS_NAME = "className='org.apache.coyote.http2.Http2Protocol' ";

    private final Problems problems = new Problems("server.xml");

    @Test
    void readsWhatTheProtocolDeclares() {
        Settings settings = read(
                "maxConcurrentStreams='7' initialWindowSize='100000' streamReadTimeout='1000'"
                        + " streamWriteTimeout='2000' maxTrailerCount='5' allowSchemeMismatch='true' maxConcurrentStreamExecution='3'");
        assertEquals(
                "{allowSchemeMismatch=true, connectionWindowSize=16777216, initialWindowSize=100000, maxConcurrentStreamExecution=3,"
                        + " maxConcurrentStreams=7, maxTrailerCount=5, serverPush=false, streamReadTimeout=PT1S, streamWindowSize=262144, streamWriteTimeout=PT2S}",
                declared(settings));
        assertEquals(List.of(), found());
    }

    @Test
    void hasTheDefaultsOfTheGuide() {
        assertEquals(
                "{allowSchemeMismatch=false, connectionWindowSize=16777216, initialWindowSize=65535, maxConcurrentStreamExecution=2147483647,"
                        + " maxConcurrentStreams=100, maxTrailerCount=100, serverPush=false, streamReadTimeout=PT20S, streamWindowSize=262144, streamWriteTimeout=PT20S}",
                declared(read("")));
    }

    private static String declared(Settings settings) {
        return Protocols.settings("http2").stream()
                .map(setting -> setting.name() + "=" + settings.get((Setting<?>) setting))
                .sorted()
                .collect(Collectors.joining(", ", "{", "}"));
    }

    @Test
    void saysOtherwiseThanItsConnector() {
        ServerConfig.Connector connector = connector(
                "connectionTimeout='1000' keepAliveTimeout='2000' maxHeaderCount='50'",
                CLASS_NAME
                        + "readTimeout='3000' keepAliveTimeout='4000' maxHeaderSize='5000' allowedTrailerHeaders='a,b'");
        Settings settings = http2(connector);
        assertEquals(Duration.ofSeconds(3), settings.get(CONNECTION_TIMEOUT));
        assertEquals(Duration.ofSeconds(4), settings.get(KEEP_ALIVE_TIMEOUT));
        assertEquals(5000, settings.get(HttpOptions.MAX_REQUEST_HEADER_SIZE));
        assertEquals(Set.of("a", "b"), settings.get(HttpOptions.ALLOWED_TRAILER_HEADERS));
        assertEquals(50, settings.get(MAX_HEADER_COUNT));
        assertEquals(Duration.ofSeconds(1), connector.settings().get(CONNECTION_TIMEOUT));
        assertEquals(List.of(), found());
    }

    @ParameterizedTest
    @CsvSource({
        "maxConcurrentStreams, many",
        "maxConcurrentStreams, 0",
        "initialWindowSize, -1",
        "initialWindowSize, 2147483648",
        "streamReadTimeout, 1s",
        "readTimeout, soon"
    })
    void isAnErrorWithAWrongValue(String name, String value) {
        assertNull(parse("", CLASS_NAME + name + "='" + value + "'"));
        String error = found().get(0);
        assertEquals(
                "server.xml:1: error: " + name + "=\"" + value + "\" on UpgradeProtocol: expected ",
                error.substring(0, error.indexOf("expected ") + "expected ".length()));
    }

    @Test
    void refusesAMisspeltLimitAndNamesWhatWasMeant() {
        assertNull(parse("", CLASS_NAME + "maxConcurentStreams='7'"));
        assertEquals(
                List.of("server.xml:1: error: unknown attribute 'maxConcurentStreams' on UpgradeProtocol;"
                        + " did you mean 'maxConcurrentStreams'?"),
                found());
    }

    @Test
    void warnsOfWhatHasNoEffectUnlessItIsTomcatsDefault() {
        read("writeTimeout='5000' overheadCountFactor='10' compression='on'");
        assertEquals(
                List.of("server.xml:1: warning: compression on UpgradeProtocol is ignored:"
                        + " compression is set on the Connector, for all its protocols"),
                found());
    }

    @Test
    void isNoneOfAnotherClass() {
        assertNull(connector("", "className='com.example.Http3Protocol'").http2());
        assertEquals(1, found().size());
    }

    /** As in Tomcat, which has nothing to upgrade there: above all it stays AJP, with its secret. */
    @Test
    @NeedsConnector("ajp")
    void isIgnoredOnAjp() {
        assertNull(connector("protocol='AJP/1.3' secret='s'", CLASS_NAME).http2());
        assertEquals(List.of("server.xml:1: warning: unknown element 'UpgradeProtocol' in Connector"), found());
    }

    private Settings read(String attributes) {
        return http2(connector("", CLASS_NAME + attributes));
    }

    private static Settings http2(ServerConfig.Connector connector) {
        Element http2 = connector.http2();
        assertNotNull(http2);
        return connector.settings().overriddenBy(http2.settings());
    }

    private ServerConfig.Connector connector(String attributes, String protocol) {
        ServerConfig config = parse(attributes, protocol);
        assertNotNull(config, () -> String.join("\n", found()));
        return config.services().get(0).connectors().get(0);
    }

    private @Nullable ServerConfig parse(String attributes, String protocol) {
        return new ServerXml(Path.of("/base"), Set.of("nio"), problems)
                .parse("<Server><Service><Connector port='0' " + attributes + "><UpgradeProtocol " + protocol
                        + "/></Connector><Engine><Host/></Engine></Service></Server>");
    }

    private List<String> found() {
        return problems.inOrder().stream().map(Problem::toString).toList();
    }
}
