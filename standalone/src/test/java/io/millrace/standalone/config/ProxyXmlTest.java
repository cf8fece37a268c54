package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.proxy.BackendAddress;
import io.millrace.proxy.ProxyOptions;
import io.millrace.settings.Settings;
import io.millrace.standalone.config.proxy.Proxy;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.testkit.Connectors;
import io.millrace.testkit.NeedsConnector;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Proxy in a server.xml … */
final class ProxyXmlTest {

    private final Problems problems = new Problems("server.xml");

    @Test
    void isAPathWithBackendsAndSettings() {
        ServerConfig config =
                parse("<Proxy path='/shop' sticky='JSESSIONID' responseTimeout='30000' preserveHost='false'"
                        + " backends=' http://a:8081?route=n1  https://b unix:/run/c '/>");
        assertNotNull(config, () -> found().toString());
        Proxy proxy = config.services().get(0).engine().hosts().get(0).proxies().get(0);
        assertEquals("/shop", proxy.application().contextPath());
        assertEquals(
                List.of("http://a:8081", "https://b", "unix:/run/c"),
                proxy.application().backends().stream()
                        .map(BackendAddress::text)
                        .toList());
        Settings settings = proxy.element().settings();
        assertEquals("JSESSIONID", settings.get(ProxyOptions.STICKY));
        assertEquals(Duration.ofSeconds(30), settings.get(ProxyOptions.RESPONSE_TIMEOUT));
        assertEquals(false, settings.get(ProxyOptions.PRESERVE_HOST));
        assertEquals(1, settings.get(ProxyOptions.RETRIES));
        assertEquals(List.of(), found());
    }

    /** Backends may be configured like this server, and would take a client's header for its front end's. */
    @Test
    void dropsTheHeadersThatItsValvesTakeFromFrontEnds() {
        ServerConfig config = parse(
                "<Valve className='org.apache.catalina.valves.RemoteIpValve' remoteIpHeader='X-Client-IP' portHeader='X-P'/>"
                        + "<Valve className='org.apache.catalina.valves.SSLValve' trusted='10.0.0.1' sslClientCertHeader='X-Cert'/>"
                        + "<Proxy frontEndHeaders='X-User' backends='http://a:8081'/>");
        assertNotNull(config, () -> found().toString());
        Set<String> dropped = config.services()
                .get(0)
                .engine()
                .hosts()
                .get(0)
                .proxies()
                .get(0)
                .application()
                .settings()
                .get(ProxyOptions.FRONT_END_HEADERS);
        assertTrue(dropped.containsAll(Set.of("X-Client-IP", "X-P", "X-Cert", "X-User")), dropped::toString);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<Proxy/> | Proxy has no backends; expected backends=\"http://host:port\", or several separated by spaces",
                "<Proxy backends='ajp://a'/> | backends on Proxy: the backend ajp://a: no secret: AJP requests must contain the secret of"
                        + " the server's AJP connector; set secret, or secretRequired to false if the connector has"
                        + " secretRequired=\"false\"",
                "<Proxy proxyProtocol='v2' backends='http://b h2c://a:1'/> | backends on Proxy: the backend h2c://a:1 speaks HTTP/2,"
                        + " and proxyProtocol is v2; expected HTTP/1.1, since only there a connection is for one client",
                "<Proxy healthPath='health' backends='http://a'/> | healthPath=\"health\" on Proxy: expected a path that begins with"
                        + " a slash, or nothing",
                "<Proxy path='shop/' backends='http://a'/> | path=\"shop/\" on Proxy: expected \"\" for all requests that no"
                        + " application serves, or a path that begins with a slash and does not end with one",
                "<Proxy backends='http://a'/><Proxy backends='http://b'/> | path=\"\" on Proxy is already used by the Proxy in line 1",
                "<Proxy backends='http://a' maxConnections='0'/> | maxConnections=\"0\" on Proxy: expected a number from 1 to 2147483647"
            })
    void isAnErrorIfNobodyCouldAnswerByIt(String line) {
        Connectors.assume(line.contains("ajp:"), "ajp");
        int end = line.indexOf('|');
        assertNull(parse(line.substring(0, end)));
        assertEquals(List.of("server.xml:1: error: " + line.substring(end + 1).strip()), found());
    }

    /** The schemes depend on what is installed. */
    @Test
    @NeedsConnector("ajp")
    void isAnErrorIfABackendsProtocolIsNotSpoken() {
        assertNull(parse("<Proxy backends='ftp://a:1'/>"));
        String said = found().get(0);
        assertTrue(
                said.startsWith(
                        "server.xml:1: error: backends on Proxy: the backend is ftp://a:1, and the protocol \"ftp\" is"
                                + " not installed; expected ajp://host:port, "),
                said);
        assertTrue(said.contains("http://host:port, https://host:port") && said.endsWith(" or unix:/path"), said);
    }

    @Test
    @NeedsConnector("ajp")
    void hasSettingsOfAProtocolForAllBackendsOrOne() {
        assertNotNull(
                parse(
                        "<Proxy secret='s' packetSize='65536' backends='ajp://a ajp://b:9?secret=a%26b+c&amp;weight=2'/>"),
                () -> found().toString());
        assertEquals(List.of(), found());
    }

    private @Nullable ServerConfig parse(String proxies) {
        String xml =
                "<Server><Service name='S'><Connector port='8080'/><Engine name='E' defaultHost='localhost'><Host name='localhost'>"
                        + proxies + "</Host></Engine></Service></Server>";
        return new ServerXml(Path.of("/base"), Set.of("nio"), problems).parse(xml);
    }

    private List<String> found() {
        return problems.inOrder().stream().map(Problem::toString).toList();
    }
}
