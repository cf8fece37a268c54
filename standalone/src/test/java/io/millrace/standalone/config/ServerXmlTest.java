package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ConnectorOptions;
import io.millrace.io.TransportOptions;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.standalone.config.realm.Realm;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.ElementReader;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.config.xml.XmlElement;
import io.millrace.standalone.config.xml.XmlReader;
import io.millrace.testkit.Connectors;
import io.millrace.text.Placeholders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server.xml … */
final class ServerXmlTest {

    private static final Path BASE = Path.of("/base");

    private final Problems problems = new Problems("server.xml");

    @Test
    void readsTheFileThatTomcatShips() throws IOException {
        ServerConfig config = parse(resource("tomcat-9-server.xml"));
        assertNotNull(config, () -> problems.inOrder().toString());
        ServerConfig.Service service = config.services().get(0);
        ServerConfig.Connector connector = service.connectors().get(0);
        assertEquals(8080, connector.port());
        assertEquals("nio", connector.transport());
        assertEquals(Duration.ofSeconds(20), connector.settings().get(ProtocolOptions.CONNECTION_TIMEOUT));
        assertEquals("8443", connector.element().shown("redirectPort"));
        assertEquals("1000", connector.element().shown("maxParameterCount"));
        assertEquals("100", connector.element().shown("acceptCount"));
        ServerConfig.Host host = service.engine().hosts().get(0);
        assertEquals(Path.of("/base/webapps"), host.appBase());
        Realm realm = Objects.requireNonNull(host.realm());
        assertEquals(
                "Realm org.apache.catalina.realm.LockOutRealm",
                realm.element().kind().toString());
        assertEquals(
                Path.of("/base/conf/tomcat-users.xml"), realm.nested().get(0).file());
        assertEquals("localhost_access_log", host.accessLogs().get(0).shown("prefix"));
    }

    @Test
    void saysOfTomcatsOwnFileOnlyThatNoShutdownPortIsOpened() throws IOException {
        parse(resource("tomcat-9-server.xml"));
        assertEquals(1, problems.inOrder().size(), () -> problems.inOrder().toString());
        assertTrue(problems.inOrder().get(0).toString().startsWith("server.xml:22: warning: port=\"8005\" on Server:"));
    }

    @Test
    void namesTheLineOfEachAttributeOfATagOverSeveralLines() {
        connector("port='1'\n\n  maxThread='5'\n  acceptCount\n = 'x'  maxConnections='-2'");
        assertEquals(
                List.of(
                        "server.xml:5: warning: unknown attribute 'maxThread' on Connector; did you mean 'maxThreads'?",
                        "server.xml:6: error: acceptCount=\"x\" on Connector: expected a number from 1 to 2147483647",
                        "server.xml:7: error: maxConnections=\"-2\" on Connector: expected a number from -1 to 2147483647"),
                found());
    }

    @Test
    void opensNoOrdinaryPortWhereTheRoleOfAnAdminPortIsUnset() {
        assertNull(connector("port='1' role='${ROLE_OF_NONE}'"));
        String errors = found().stream()
                .filter(line -> line.contains(": error: "))
                .toList()
                .toString();
        assertTrue(
                errors.startsWith("[server.xml:3: error: role=\"${ROLE_OF_NONE}\" on Connector has no value"), errors);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            port='99999'                                   | port="99999" on Connector: expected a number from 0 to 65535
            port='http'                                    | port="http" on Connector: expected a number from 0 to 65535
            port='1' SSLEnabled='yes'                      | SSLEnabled="yes" on Connector: expected true or false
            port='1' ipv6v6only='true'                     | ipv6v6only="true" on Connector: expected false: Java has no such socket option; to exclude IPv4 set address to an IPv6 address of this host, or close the port for IPv4 in the firewall
            port='1' useIPVHosts='true'                    | useIPVHosts="true" on Connector: expected false: the Host field selects the Host, regardless of the address to which a client connects; define for each address a Service with its own Connector and Engine
            port='1' URIEncoding='UTF-9'                   | URIEncoding="UTF-9" on Connector: expected the name of a character encoding that contains ASCII, such as UTF-8
            port='1' encodedSolidusHandling='allow'        | encodedSolidusHandling="allow" on Connector: expected one of reject, decode, passthrough
            port='1' maxHeaderCount='0'                    | maxHeaderCount="0" on Connector: expected a number from 1 to 2147483647, or -1 for no limit
            port='1' connectionLinger='65536'              | connectionLinger="65536" on Connector: expected a number from -1 to 65535
            port='1' protocol='AJP/1.4'                    | protocol="AJP/1.4" on Connector: unknown; did you mean 'AJP/1.3'?; there are HTTP/1.1 and AJP/1.3 on nio
            port='1' protocol='HTTP/1.2'                   | protocol="HTTP/1.2" on Connector: unknown; did you mean 'HTTP/1.1'?; there are HTTP/1.1 and AJP/1.3 on nio
            port='1' protocol='org.apache.coyote.http11.Http11Nio2Protocol' | protocol="org.apache.coyote.http11.Http11Nio2Protocol" on Connector: the transport 'nio2' is not installed; there are HTTP/1.1 and AJP/1.3 on nio
            port='1' role='manager'                        | role="manager" on Connector: expected admin
            port='1' allow='10.0.0.0/8'                    | allow on Connector would restrict nothing without role="admin"; who may send requests is said by a RemoteCIDRValve
            port='1' SSLEnabled='true'                     | SSLEnabled="true" on Connector: it has no certificate; expected an SSLHostConfig with a Certificate
            """)
    void refusesValuesThatMeanNothing(String attributes, String error) {
        assertNull(connector(attributes));
        assertEquals(List.of("server.xml:3: error: " + error), found());
    }

    @Test
    void refusesAServiceWithAnAdminPortOnly() {
        connector("port='1' role='admin'");
        assertEquals(
                List.of(
                        "server.xml:2: error: Service 'Millrace' has no Connector for requests: one with role=\"admin\" is for"
                                + " administration only"),
                found());
    }

    @Test
    void refusesTwoConnectorsOnOnePort() {
        parse("""
                <Server>
                  <Service>
                    <Connector port="18080"/>
                    <Connector port="18080" address="127.0.0.1"/>
                    <Engine><Host/></Engine>
                  </Service>
                </Server>
                """);
        assertEquals(List.of("server.xml:4: error: port 18080 is already used by the Connector in line 3"), found());
    }

    @Test
    void passesOverNamespacesAndSchemas() {
        assertNotNull(parse("""
                <Server xmlns="http://a" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b">
                  <Service><Connector port="0"/><Engine><Host/></Engine></Service>
                </Server>
                """));
        assertEquals(List.of(), found());
    }

    /** As properties of beans: "Secure" is "secure" for Tomcat. */
    @Test
    void takesAttributesThatBeginWithACapitalLetter() {
        ServerConfig config = connector("Port='0' Secure='true' Scheme='https' ProxyPort='443' Server=' '");
        assertNotNull(config, () -> found().toString());
        assertEquals(List.of(), found());
        Element connector = config.services().get(0).connectors().get(0).element();
        assertTrue(connector.get(ConnectorOptions.SECURE));
        assertEquals("https", connector.shown("scheme"));
        assertEquals("443", connector.shown("proxyPort"));
    }

    @Test
    void doesNotTakeTheClassOfAnElementFromAnAttributeWithACapitalLetter() {
        assertNotNull(connector("port='0' Protocol='AJP/1.3'"));
        assertTrue(found().get(0).contains("warning: unknown attribute 'Protocol'"), found().toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            maxSpareThreads='50'                                    | is one of old Tomcats, and has no effect
            protocol='org.apache.coyote.http11.Http11NioProtocol' compression='${none.such}' | has no value, so it is as if
            """)
    void warnsOfAttributesOfOldTomcatsAndOfThoseWithoutAValue(String attributes, String warning) {
        assertNotNull(connector("port='0' " + attributes), () -> found().toString());
        assertTrue(found().toString().contains(warning), found().toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "port",
                "portOffset",
                "protocol",
                "address",
                "unixDomainSocketPath",
                "unixDomainSocketPathPermissions",
                "useInheritedChannel",
                "secure",
                "SSLEnabled",
                "secretRequired",
                "maxConnections",
                "maxPostSize",
                "socket.soTimeout",
                "clientAuth",
                "SSLVerifyDepth",
                "trustMaxCertLength",
                "sslEnabledProtocols",
                "ciphers",
                "truststoreFile",
                "proxyProtocolTrusted"
            })
    void refusesAttributesThatProtectAndHaveNoValue(String name) {
        String connector = "<Connector port='1' " + (name.equals("secretRequired") ? "protocol='AJP/1.3' " : "");
        String text = "<Server><Service>" + connector + "/><Engine><Host/></Engine></Service></Server>";
        String unset = name + "='${none.such}'";
        String server = name.equals("portOffset")
                ? text.replace("<Server>", "<Server " + unset + ">")
                : name.equals("port")
                        ? text.replace("port='1'", unset)
                        : name.equals("protocol")
                                ? text.replace("port='1'", "port='1' " + unset)
                                : text.replace("/><Engine>", unset + "/><Engine>");
        assertNull(parse(server));
        assertTrue(found().toString().contains("error: " + name + "=\"${none.such}\" on "), found().toString());
    }

    /** Each attribute of each element of the vocabulary, by what its default or its text would do. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Host    | autoDeploy='${n.s}'                                                                 | true
            Host    | xmlBase='${n.s}'                                                                    | true
            Host    | deployIgnore='${n.s}'                                                               | true
            Host    | workDir='${n.s}'                                                                    | false
            Host    | undeployOldVersions='${n.s}'                                                        | false
            Valve   | className='org.apache.catalina.valves.RemoteIpValve' remoteIpHeader='${n.s}'         | true
            Valve   | className='org.apache.catalina.valves.RemoteIpValve' internalProxies='${n.s}'        | true
            Valve   | className='org.apache.catalina.valves.rewrite.RewriteValve' resourcePath='${n.s}'   | true
            Valve   | className='org.apache.catalina.valves.RemoteCIDRValve' allow='${n.s}'               | true
            Valve   | className='org.apache.catalina.valves.AccessLogValve' pattern='${n.s}'              | false
            Valve   | className='org.apache.catalina.valves.AccessLogValve' maxDays='${n.s}'              | false
            Realm   | className='org.apache.catalina.realm.LockOutRealm' failureCount='${n.s}'            | true
            Realm   | className='org.apache.catalina.realm.JNDIRealm' connectionURL='${n.s}'              | false
            Server  | port='${n.s}' shutdown='${n.s}'                                                     | false
            Connector | compression='${n.s}'                                                              | false
            Connector | maxThreads='${n.s}'                                                               | false
            Connector | maxConnections='${n.s:-100}'                                                      | false
            Executor  | maxThreads='${n.s}'                                                               | false
            SSLHostConfig | hostName='${n.s}'                                                             | true
            SSLHostConfig | certificateVerificationDepth='${n.s}'                                         | true
            Certificate   | type='${n.s}' certificateKeyAlias='${n.s}'                                    | false
            """)
    void refusesOnlyThoseWithoutWhichLessIsProtected(String element, String attributes, boolean refused) {
        XmlElement read =
                XmlReader.read("<" + element + " " + attributes + "/>", problems, Placeholders.ofSystem(Map.of()));
        new ElementReader(Vocabulary::of, problems).read(Objects.requireNonNull(read));
        assertEquals(refused, problems.hasErrors(), () -> found().toString());
    }

    @Test
    void refusesADefaultHostThatIsNotThereAndHostsAndPathsThatAreThereTwice() {
        parse("""
                <Server>
                  <Service>
                    <Connector port="0"/>
                    <Engine defaultHost="locahost">
                      <Host name="localhost">
                        <Context path="/a" docBase="one"/>
                        <Context path="/a" docBase="two"/>
                      </Host>
                      <Host name="other"><Alias>LOCALHOST</Alias></Host>
                    </Engine>
                  </Service>
                </Server>
                """);
        assertEquals(
                List.of(
                        "server.xml:4: error: defaultHost=\"locahost\" on Engine: there is no Host of that name;"
                                + " did you mean 'localhost'?",
                        "server.xml:7: error: context path \"/a\" is already used by the Context in line 6; give each its own",
                        "server.xml:9: error: host name 'LOCALHOST' is already used by the Host in line 5; give each its own"),
                found());
    }

    @Test
    void warnsOfUnknownElementsOnceAndReadsOn() {
        ServerConfig config = parse("""
                <Server>
                  <Service>
                    <Conector port="1" what="x"><Deep/></Conector>
                    <Connector port="0"/>
                    <Engine><Host/></Engine>
                  </Service>
                </Server>
                """);
        assertNotNull(config);
        assertEquals(
                List.of("server.xml:3: warning: unknown element 'Conector' in Service; did you mean 'Connector'?"),
                found());
    }

    @Test
    void saysWhatItAcceptsWithoutEffectWhereThatMakesADifference() {
        assertNotNull(connector("port='0' compression='on' noCompressionEncodings='br' pollerThreadCount='2'"
                + " enableLookups='false' deferAccept='true'"));
        assertEquals(
                List.of("server.xml:3: warning: deferAccept on Connector is ignored: Java has no such"
                        + " socket option; remove it: a connection that has sent nothing occupies no thread"
                        + " and no buffer here"),
                found());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            unixDomainSocketPath='s' protocol='bio' | the transport 'bio' listens on ports only
            inheritedSocket='web' protocol='nio2' | the transport 'nio2' listens on ports only; use protocol="nio" or protocol="bio" or protocol="apr"
            inheritedSocket='web' unixDomainSocketPath='s' | Connector has both unixDomainSocketPath and inheritedSocket
            useInheritedChannel='true' protocol='bio' | the transport 'bio' listens on ports only
            unixDomainSocketPath='s' useInheritedChannel='true' | expected one of them
            unixDomainSocketPath='s' unixDomainSocketPathPermissions='666' | expected nine letters such as rw-rw----
            unixDomainSocketPath=''                        | unixDomainSocketPath="" on Connector: expected the name of a file
            """)
    void refusesOtherSocketsWhereTheyCannotBe(String attributes, String error) {
        ServerXml reader = new ServerXml(Path.of("/srv"), Set.of("nio", "bio", "nio2", "apr"), problems);
        assertNull(reader.parse(
                "<Server><Service><Connector " + attributes + "/><Engine><Host/></Engine></Service></Server>"));
        assertEquals(1, found().size());
        assertTrue(found().get(0).contains(error), found().get(0));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            maxAbortsPerAddress='50' protocol='bio'          | error: maxAbortsPerAddress on Connector bounds nothing on bio
            maxAbortsPerAddress='50' unixDomainSocketPath='s' | error: maxAbortsPerAddress on Connector bounds nothing for clients without
            inlineShort='true' protocol='bio'                 | warning: inlineShort on Connector is ignored on 'bio'
            inlineShort='true' protocol='nio2'                | warning: inlineShort on Connector is ignored on 'nio2'
            """)
    void saysWhatItsTransportHasNot(String attributes, String problem) {
        new ServerXml(Path.of("/srv"), Set.of("nio", "bio", "nio2", "apr"), problems)
                .parse("<Server><Service><Connector port='0' " + attributes
                        + "/><Engine><Host/></Engine></Service></Server>");
        assertTrue(found().stream().anyMatch(each -> each.contains(problem)), found()::toString);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            maxAbortsPerAddress='-1' protocol='bio'
            maxAbortsPerAddress='50' protocol='nio2'
            inlineShort='true' protocol='apr'
            """)
    void saysNothingOfWhatItHas(String attributes) {
        new ServerXml(Path.of("/srv"), Set.of("nio", "bio", "nio2", "apr"), problems)
                .parse("<Server><Service><Connector port='0' " + attributes
                        + "/><Engine><Host/></Engine></Service></Server>");
        assertEquals(List.of(), found());
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1, nio",
        "bio, bio",
        "nio, nio",
        "nio2, nio2",
        "apr, apr",
        "another, another",
        "org.apache.coyote.http11.Http11Protocol, bio",
        "org.apache.coyote.http11.Http11NioProtocol, nio",
        "org.apache.coyote.http11.Http11Nio2Protocol, nio2",
        "org.apache.coyote.http11.Http11AprProtocol, apr"
    })
    void takesAProtocolByOurNameOrByTomcats(String protocol, String transport) {
        ServerXml reader = new ServerXml(BASE, Set.of("another", "apr", "bio", "nio", "nio2"), problems);
        ServerConfig config = reader.parse("<Server><Service><Connector port='0' protocol='" + protocol
                + "'/><Engine><Host/></Engine></Service></Server>");
        ServerConfig.Connector connector =
                Objects.requireNonNull(config).services().get(0).connectors().get(0);
        assertEquals(transport, connector.transport());
        assertFalse(connector.isAjp());
    }

    @Test
    void choosesAnotherTransportWhereNioIsMissingAndNotNamed() {
        ServerXml reader = new ServerXml(BASE, Set.of("apr", "bio", "nio2"), problems);
        ServerConfig.Connector unnamed = Objects.requireNonNull(reader.parse(
                        "<Server><Service><Connector port='0'/><Engine><Host/></Engine></Service></Server>"))
                .services()
                .get(0)
                .connectors()
                .get(0);
        assertEquals("nio2", unnamed.transport());
        assertEquals(" (nio is not installed)", unnamed.transportRemark());
        for (String named : List.of("nio", "org.apache.coyote.http11.Http11NioProtocol")) {
            assertNull(reader.parse("<Server><Service><Connector port='0' protocol='" + named
                    + "'/><Engine><Host/></Engine></Service></Server>"));
            String last = found().get(found().size() - 1);
            assertTrue(last.contains("the transport 'nio' is not installed; there are HTTP/1.1"), last);
        }
    }

    /** What Tomcat's own machinery is tuned with is silent; what somebody could miss is said. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            acceptorThreadCount='2' acceptorThreadPriority='6' pollerThreadCount='2' pollerThreadPriority='6' threadPriority='6' |
            selectorTimeout='500' discardFacades='true' socket.bufferPoolSize='5' socket.directBuffer='true' |
            enableLookups='false' useIPVHosts='false' restrictedUserAgents='' sniParseLimit='65536' deferAccept='false' |
            encodedSolidusHandling='REJECT' continueResponseTiming='onread' |
            processorCache='10' | processorCache on Connector is ignored: request objects are not reused
            socket.bufferPool='5' | socket.bufferPool on Connector is ignored: all connections share a pool of buffers of 16384 bytes each
            socket.appReadBufSize='100' | socket.appReadBufSize on Connector is ignored: all connections share a pool of buffers of 16384 bytes each
            tcpNoDelay='1' | tcpNoDelay="1" on Connector means false, as in Tomcat; expected true or false
            executor='pool' | executor="pool" on Connector: there is no Executor of that name in this Service; the Connector gets its own threads, as in Tomcat
            restrictedUserAgents='MSIE 5' | restrictedUserAgents on Connector is ignored: keep-alive is available to all clients
            sniParseLimit='100000' | sniParseLimit on Connector is ignored: a ClientHello may have at most 32768 bytes
            connectionLinger='5' | connectionLinger="5" on Connector is ignored: Java closes connections of 'nio' in the background; 0, which resets them, works
            connectionLinger='0' |
            keystoreFile='keys.jks' | keystoreFile is ignored: its Connector has no SSLEnabled="true"
            SSLCertificateFile='cert.pem' | SSLCertificateFile is ignored: its Connector has no SSLEnabled="true"
            SSLInsecureRenegotiation='true' | SSLInsecureRenegotiation on Connector is ignored: renegotiation is always refused
            """)
    void loadsWhatHasNoEffectAndSaysSoOnce(String attributes, @Nullable String warning) {
        assertNotNull(connector("port='0' " + attributes), () -> found().toString());
        assertEquals(warning == null ? List.of() : List.of("server.xml:3: warning: " + warning), found());
    }

    /** Without TLS nobody is asked for a certificate, and everybody would be let in. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "clientAuth='true'/>",
                "SSLVerifyClient='require'/>",
                "SSLEnabled='false' clientAuth='yes'/>",
                "><SSLHostConfig certificateVerification='required'/></Connector>",
                "protocol='AJP/1.3' secret='s'><SSLHostConfig certificateVerification='required'/></Connector>"
            })
    void refusesToDemandCertificatesOfClientsWithoutTls(String rest) {
        Connectors.assume(rest.contains("AJP"), "ajp");
        assertNull(parse(
                "<Server>\n<Service>\n<Connector port='0' " + rest + "\n<Engine><Host/></Engine></Service></Server>"));
        assertTrue(
                found().stream().anyMatch(each -> each.contains("no client would be asked for a certificate")),
                () -> found().toString());
    }

    @Test
    void takesOfRelaxedCharactersThoseThatCanBeRelaxed() {
        ServerConfig config = connector("port='0' relaxedQueryChars='[]#%|'");
        assertEquals(
                List.of(
                        "server.xml:3: warning: relaxedQueryChars=\"[]#%|\" on Connector allows only \" < > [ \\ ] ^ ` { | }; the other"
                                + " characters in it are ignored, as in Tomcat"),
                found());
        assertEquals(
                "[]|",
                Objects.requireNonNull(config)
                        .services()
                        .get(0)
                        .connectors()
                        .get(0)
                        .settings()
                        .get(HttpOptions.RELAXED_QUERY_CHARS));
    }

    @ParameterizedTest
    @CsvSource({
        "trustManagerClassName, a.Class",
        "caCertificatePath, certs",
        "certificateRevocationListPath, lists",
        "revocationEnabled, true",
        "ocspEnabled, true"
    })
    void refusesWhatWouldKeepClientsOutInTomcatAlone(String attribute, String value) {
        assertNull(parse("<Server><Service><Connector port='0' SSLEnabled='true'><SSLHostConfig " + attribute + "='"
                + value + "'/></Connector><Engine><Host/></Engine></Service></Server>"));
        assertTrue(found().get(0).contains("error: " + attribute + "=\""), found().toString());
    }

    @Test
    void warnsOfAnExecutorThatIsNotLoadedAndTakesTheTwoThatAreKnown() {
        ServerConfig config = parse("""
                <Server>
                  <Service>
                    <Executor name="own" className="com.example.Pool"/>
                    <Executor name="shared" className="org.apache.catalina.core.StandardThreadExecutor"/>
                    <Connector port="0" executor="own"/>
                    <Connector port="0" executor="shared"/>
                    <Engine><Host/></Engine>
                  </Service>
                </Server>
                """);
        assertNotNull(config);
        assertEquals(1, found().size());
        assertTrue(found().get(0).startsWith("server.xml:3: warning: className=\"com.example.Pool\" on Executor"));
    }

    private void assertVirtualWhereJavaHasThem(@Nullable ServerConfig config) {
        if (Runtime.version().feature() >= 21) {
            assertTrue(Objects.requireNonNull(config)
                    .services()
                    .get(0)
                    .connectors()
                    .get(0)
                    .isVirtual());
        } else {
            assertTrue(found().get(0).contains("virtual threads need Java 21 or later"), found().get(0));
        }
    }

    @Test
    void takesVirtualThreadsWhereJavaHasThem() {
        ServerConfig config = connector("port='0' useVirtualThreads='true'");
        assertVirtualWhereJavaHasThem(config);
    }

    @Test
    void takesThemByAnExecutorToo() {
        ServerConfig config = parse("""
                <Server><Service>
                  <Executor name="light" className="org.apache.catalina.core.StandardVirtualThreadExecutor"/>
                  <Connector port="0" executor="light"/><Engine><Host/></Engine>
                </Service></Server>
                """);
        assertVirtualWhereJavaHasThem(config);
    }

    @Test
    void readsContextsWithTheirParametersRelativeToTheAppBase() {
        ServerConfig config = parse("""
                <Server><Service><Connector port="0"/><Engine><Host appBase="apps">
                  <Context path="/shop" docBase="shop-1.war">
                    <Parameter name="colour" value="red"/>
                  </Context>
                  <Context docBase="/srv/a#b.war"/>
                </Host></Engine></Service></Server>
                """);
        assertNotNull(config, () -> found().toString());
        List<ServerConfig.Context> contexts =
                config.services().get(0).engine().hosts().get(0).contexts();
        assertEquals(Path.of("/base/apps/shop-1.war"), contexts.get(0).docBase());
        List<Element> parameters = contexts.get(0).reading().settings().parameters();
        assertEquals(1, parameters.size());
        assertEquals("colour", parameters.get(0).shown("name"));
        assertEquals("red", parameters.get(0).shown("value"));
        assertEquals("/a/b", contexts.get(1).path());
        assertEquals(Path.of("/srv/a#b.war"), contexts.get(1).docBase());
    }

    @Test
    void takesTheLimitsOfASharedExecutor() {
        ServerConfig config = parse("""
                <Server><Service><Executor name="pool" maxThreads="7"/>
                  <Connector port="0" executor="pool" maxThreads="9"/><Engine><Host/></Engine>
                </Service></Server>
                """);
        assertNotNull(config);
        assertEquals(7, config.services().get(0).connectors().get(0).threads().get(TransportOptions.MAX_THREADS));
    }

    @Test
    void isRefusedWithALineIfItIsNotWellFormed() {
        assertNull(parse("<Server>\n<Service>\n</Server>"));
        assertTrue(found().get(0).startsWith("server.xml:3: error: not well-formed XML: "), found().toString());
    }

    @Test
    void mayNotHaveADoctype() {
        assertNull(parse("<!DOCTYPE Server [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>\n<Server a='&x;'/>"));
        assertTrue(found().get(0).contains("DOCTYPE"), found().toString());
    }

    @Test
    void mustBeginWithServer() {
        assertNull(parse("<Service/>"));
        assertEquals(List.of("server.xml:1: error: the root element is 'Service'; expected 'Server'"), found());
    }

    @Test
    void isReadInTheEncodingItDeclares(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("server.xml");
        String text =
                "<?xml version='1.0' encoding='ISO-8859-1'?><Server><Service name='Gr\u00fcn'><Connector port='0'/>"
                        + "<Engine><Host/></Engine></Service></Server>";
        Files.writeString(file, text, StandardCharsets.ISO_8859_1);
        ServerConfig config = new ServerXml(BASE, Set.of("nio"), problems).read(file);
        assertNotNull(config, () -> found().toString());
        assertEquals("Gr\u00fcn", config.services().get(0).name());
    }

    private @Nullable ServerConfig connector(String attributes) {
        return parse(
                "<Server>\n<Service>\n<Connector " + attributes + "/>\n<Engine><Host/></Engine></Service></Server>");
    }

    private @Nullable ServerConfig parse(String text) {
        return new ServerXml(BASE, Set.of("nio"), problems).parse(text);
    }

    private List<String> found() {
        return problems.inOrder().stream().map(Problem::toString).toList();
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = ServerXmlTest.class.getResourceAsStream(name)) {
            assertNotNull(in, name);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
