package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a server.xml says of front ends … */
final class FrontEndXmlTest {

    private final Problems problems = new Problems("server.xml");

    @Test
    void isTheProxyProtocolAndWhomItIsTakenFrom() {
        ServerConfig config = parse("proxyProtocol='required' proxyProtocolTrusted='10.0.0.0/8,::1'", "", "");
        assertNotNull(config, () -> found().toString());
        Element connector = config.services().get(0).connectors().get(0).element();
        assertEquals("required", connector.shown("proxyProtocol"));
        assertEquals("5000", connector.shown("proxyProtocolTimeout"));
        assertEquals(List.of(), found());
    }

    @Test
    void isAnErrorIfNobodyIsTrusted() {
        parse("proxyProtocol='optional'", "", "");
        assertEquals(
                List.of(
                        "server.xml:1: error: proxyProtocol=\"optional\" on Connector: no front end is trusted to send the header;"
                                + " list the front ends, as in proxyProtocolTrusted=\"10.0.0.0/8\""),
                found());
    }

    @Test
    void isAnErrorIfTheTrustedAreNoAddresses() {
        parse("proxyProtocol='optional' proxyProtocolTrusted='balancer'", "", "");
        assertEquals(
                "server.xml:1: error: proxyProtocolTrusted=\"balancer\" on Connector: expected addresses and ranges with"
                        + " commas between, such as 10.0.0.0/8,fd00::/8",
                found().get(0));
    }

    @Test
    void isAWarningIfThereIsTrustForNothing() {
        parse("proxyProtocolTrusted='10.0.0.1'", "", "");
        assertEquals(1, found().size(), () -> found().toString());
    }

    @Test
    void isAValveOfEngineAndHost() {
        String valve = "<Valve className='org.apache.catalina.valves.RemoteIpValve' hostHeader='X-Forwarded-Host'/>";
        ServerConfig config = parse("", valve, valve + valve);
        assertNotNull(config, () -> found().toString());
        ServerConfig.Engine engine = config.services().get(0).engine();
        assertEquals(1, engine.valves().size());
        assertEquals("X-Forwarded-Host", engine.valves().get(0).shown("hostHeader"));
        assertEquals("X-Forwarded-Proto", engine.valves().get(0).shown("protocolHeader"));
        assertEquals(2, engine.hosts().get(0).valves().size());
        assertEquals(List.of(), found());
    }

    @Test
    void isReadInAContextToo() {
        parse(
                "",
                "",
                "<Context path='/a' docBase='a'><Valve className='org.apache.catalina.valves.RemoteIpValve'/></Context>");
        assertEquals(List.of(), found());
    }

    @Test
    void isAnErrorIfItIsNeitherPatternNorAddresses() {
        parse("", "<Valve className='org.apache.catalina.valves.RemoteIpValve' internalProxies='10.('/>", "");
        assertEquals(1, found().size(), () -> found().toString());
    }

    @Test
    void isAnErrorIfNobodyIsTrustedToSendForwarded() {
        parse("", "<Valve className='io.millrace.forwarded.ForwardedField'/>", "");
        assertEquals(1, found().size(), () -> found().toString());
        assertTrue(found().get(0).contains("no front end is trusted to send the field Forwarded"), found().get(0));
    }

    @Test
    void isAnErrorIfAClientCouldChooseTheFieldThatIsBelieved() {
        String forwarded = "<Valve className='io.millrace.forwarded.ForwardedField' trusted='10.0.0.0/8'/>";
        parse("", forwarded, "<Valve className='org.apache.catalina.valves.RemoteIpValve'/>");
        assertEquals(1, found().size(), () -> found().toString());
        assertTrue(found().get(0).contains("expected one of them"), found().get(0));
    }

    @Test
    void keepsAnApplicationAwayThatBelievesAnotherFieldThanItsHost() {
        String forwarded = "<Valve className='io.millrace.forwarded.ForwardedField' trusted='10.0.0.0/8'/>";
        String remoteIp = "<Valve className='org.apache.catalina.valves.RemoteIpValve'/>";
        for (boolean inEngine : new boolean[] {true, false}) {
            ServerConfig config = parse("", inEngine ? forwarded : "", (inEngine ? "" : forwarded) + context(remoteIp));
            assertNotNull(config, () -> found().toString());
            String defect = applicationOf(config).reading().defect();
            assertNotNull(defect);
            assertTrue(defect.contains("for the same requests"), defect);
        }
        ServerConfig alike = parse("", remoteIp, remoteIp + context(remoteIp));
        assertNotNull(alike);
        assertNull(applicationOf(alike).reading().defect());
    }

    private static String context(String valve) {
        return "<Context path='/a' docBase='a'>" + valve + "</Context>";
    }

    private static ServerConfig.Context applicationOf(ServerConfig config) {
        return config.services().get(0).engine().hosts().get(0).contexts().get(0);
    }

    private @Nullable ServerConfig parse(String connector, String inEngine, String inHost) {
        return new ServerXml(Path.of("/base"), Set.of("nio"), problems)
                .parse("<Server><Service name='S'><Connector port='8080' " + connector + "/><Engine name='E'"
                        + " defaultHost='localhost'>" + inEngine + "<Host name='localhost'>" + inHost
                        + "</Host></Engine></Service></Server>");
    }

    private List<String> found() {
        return problems.inOrder().stream().map(Problem::toString).toList();
    }
}
