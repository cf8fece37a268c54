package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.valve.ValveKind;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What would keep somebody out in Tomcat … */
final class AccessRestrictionsTest {

    private static final String REFUSED = """
            Valve className="com.example.Guard" | Valve com.example.Guard: it is not supported, and it may restrict access
            Valve className="com.example.RemoteAddrValve" allow=".*" | Valve com.example.RemoteAddrValve: it is not supported
            Valve className="org.apache.catalina.valves.AccesLogValve" | Valve org.apache.catalina.valves.AccesLogValve: it is not supported
            Valve className="org.apache.catalina.valves.RewriteValve" | if org.apache.catalina.valves.rewrite.RewriteValve was meant, correct its name
            Valve allow="10.*" | Valve has no className
            Valve className="org.apache.catalina.authenticator.SpnegoAuthenticatr" | if org.apache.catalina.authenticator.SpnegoAuthenticator was meant, correct its name, otherwise write it as a Filter
            Valve className="org.apache.catalina.valves.SSLValve" | SSLValve: no front end is trusted to send certificates of clients
            Valve className="org.apache.catalina.valves.SSLValve" trusted="10." | expected addresses and ranges
            Valve className="org.apache.catalina.valves.SemaphoreValve" concurrency="0" | expected a number from 1
            Valve className="org.apache.catalina.valves.SemaphoreValve" concurency="5" | unknown attribute 'concurency' on Valve; did you mean 'concurrency'?
            Valve className="org.apache.catalina.valves.SemaphoreValve" block="false" highConcurrencyStatus="200" | expected -1, or a number from 400 to 599
            Valve className="org.apache.catalina.valves.RemoteAddrValve" allow="10.(" | expected a regular expression, found: Unclosed group at character 5
            Valve className="org.apache.catalina.valves.RemoteAddrValve" alow="10.*" deny="11.*" | unknown attribute 'alow' on Valve; did you mean 'allow'?
            Valve className="org.apache.catalina.valves.RemoteAddrValve" allow="10.*" denyStatus="200" | expected a number from 400 to 599
            Valve className="org.apache.catalina.valves.RemoteCIDRValve" allow="10.0.0/8" | RemoteCIDRValve: "10.0.0/8" is not an address
            Valve className="org.apache.catalina.valves.RemoteCIDRValve" allow="10.0.0.0/8;80" | RemoteCIDRValve: "10.0.0.0/8;80" is not an address range
            Valve className="org.apache.catalina.valves.RemoteCIDRValve" allow="10.0.0.0/8" addConnectorPort="true" | has no port
            Valve className="org.apache.catalina.valves.ErrorReportValve" showReports="false" | unknown attribute 'showReports' on Valve; did you mean 'showReport'?
            Valve className="org.apache.catalina.valves.ErrorReportValve" errorCode.4="conf/404.html" | unknown attribute 'errorCode.4' on Valve
            Valve className="org.apache.catalina.valves.ErrorReportValve" errorCode.404="" | expected the name of a file
            Vavle className="org.apache.catalina.valves.RemoteAddrValve" allow="10.*" | unknown element 'Vavle' in
            valve className="org.apache.catalina.valves.RemoteAddrValve" allow="10.*" | unknown element 'valve' in
            CredentialHandler className="org.apache.catalina.realm.MessageDigestCredentialHandler" | unknown element 'CredentialHandler' in
            Realm className="org.apache.catalina.realm.AutenticatedUserRealm" | there is no such realm; did you mean
            Realm className="org.apache.catalina.realm.JAASRealm" appName="shop" | Realm has no userClassNames
            Realm className="com.example.MemoryRealm" | there is no such realm
            Realm className="org.apache.catalina.realm.MemoryRealm" pathName="conf/x.xml" | unknown attribute 'pathName' on Realm; did you mean 'pathname'?
            Realm className="org.apache.catalina.realm.MemoryRealm" X509UsernameRetrieverClassName="a.B" | custom classes are not loaded
            Realm className="org.apache.catalina.realm.UserDatabaseRealm" resourceName="other" | GlobalNamingResources has no Resource of that name
            Realm className="org.apache.catalina.realm.MemoryRealm" digest="SHA-1" | set algorithm on a CredentialHandler
            Realm className="org.apache.catalina.realm.JNDIRealm" connectionURL="ldap://x" | JNDIRealm needs userPattern or userSearch
            Realm className="org.apache.catalina.realm.JNDIRealm" connectionURL="ldap://x" userPattern="{0}" protocol="ssl" | use ldaps: in connectionURL for TLS
            """;

    private final Problems problems = new Problems("server.xml");

    @TempDir
    private Path base = Path.of("");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = REFUSED)
    void stopsTheStartIfItIsNotEnforced(String element, String reason) {
        for (String container : List.of("Engine", "Host")) {
            Problems found = new Problems("server.xml");
            String inEngine = container.equals("Engine") ? "<" + element + "/>" : "";
            String inHost = container.equals("Host") ? "<" + element + "/>" : "";
            assertNull(parse("", inEngine, inHost, found), container);
            assertTrue(
                    found.inOrder().toString().contains("error: "),
                    () -> found.inOrder().toString());
            assertTrue(
                    found.inOrder().toString().contains(reason),
                    () -> found.inOrder().toString());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = REFUSED + """
            Valve className="org.apache.catalina.authenticator.BasicAuthenticator" cache="false" | expected true: a session keeps the user
            Valve className="org.apache.catalina.authenticator.BasicAuthenticator" jaspicCallbackHandlerClass="a.B" | there is no JASPIC
            Valve className="org.apache.catalina.authenticator.BasicAuthenticator" realm="x" | unknown attribute 'realm' on Valve
            Manager sessionAttributeNameFilter="a(" | expected a regular expression
            Manager sessionAttributeNameFiler="a.*" | unknown attribute 'sessionAttributeNameFiler' on Manager; did you mean
            """)
    void keepsAnApplicationOrItsUsersOutIfItIsInItsContext(String element, String reason) throws IOException {
        context("<Context><" + element + "/></Context>");
        ContextReading reading = reading(true);
        String defect = reading.defect();
        if (element.startsWith("Realm")) { // keeps everybody out, which is enough
            assertNull(defect);
            defect = reading.problems().get(0)
                    + Objects.requireNonNull(reading.realm()).defect();
        }
        assertNotNull(defect);
        assertTrue(defect.startsWith("shop META-INF/context.xml:1: error: "), defect);
        assertTrue(defect.contains(reason), defect);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            altDDName="other.xml" | constraints are those of WEB-INF/web.xml
            denyUncoveredHttpMethods="true" | set deny-uncovered-http-methods in web.xml
            sessionCookiePathUsesTrailingSlash="true" | set sessionCookiePath with a slash at its end
            wrapperClass="a.B" | write it as a Filter
            """)
    void keepsAnApplicationFromBeingDeployedIfItIsAnAttributeOfItsContext(String attribute, String reason)
            throws IOException {
        context("<Context " + attribute + "/>");
        assertTrue(Objects.requireNonNull(reading(true).defect()).contains(reason));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            <Server portOffset="-1"> | portOffset="-1" on Server: expected a number from 0 to 65535
            <Server><Listener className="org.apache.catalina.core.AprLifecycleListener" FIPSMode="on"/> | FIPSMode="on" on Listener: it is not enforced here
            <Server><GlobalNamingResources><Resource name="UserDatabase" type="org.apache.catalina.UserDatabase" factory="org.apache.catalina.users.DataSourceUserDatabaseFactory"/></GlobalNamingResources><Service><Connector port="1"/><Engine><Host/><Realm className="org.apache.catalina.realm.UserDatabaseRealm"/></Engine></Service> | its Resource has another factory
            <Server><Service><Connector port="1" protocol="AJP/1.3" secret="${no.such.secret}"/><Engine><Host/></Engine></Service> | no system property or environment variable is named 'no.such.secret'
            <Server><Service><Connector port="1"/><Engine><Host/><Cluster><Valve className="com.example.Guard"/></Cluster></Engine></Service> | Valve com.example.Guard
            <Server><Service><Connector port="1"/><Engine><Host/><Valve className="org.apache.catalina.authenticator.SingleSignOn" requireReauthenticaton="true"/></Engine></Service> | unknown attribute 'requireReauthenticaton' on Valve; did you mean 'requireReauthentication'?
            <Server><Service><Connector port="1"/><Engine><Host/><Valve className="org.apache.catalina.authenticator.SingleSignOn" cookieDomain="a b"/></Engine></Service> | expected a domain
            <Server><Service><Connector port="1"/><Engine><Host/><Realm className="org.apache.catalina.realm.JNDIRealm" connectionURL="ldap://x" userPattern="uid={0}" useDelegatedCredential="true"/></Engine></Service> | users and roles are searched for as connectionName
            <Server><Service><Connector port="1"/><Engine><Host/><Realm className="org.apache.catalina.realm.JNDIRealm" connectionURL="ldap://x" userPattern="uid={0}" spnegoDelegationQop="auth"/></Engine></Service> | delegated credentials are not used to connect
            <Server><Realm className="org.apache.catalina.realm.NullRealm"/> | unknown element 'Realm' in Server
            """)
    void stopsTheStartOutsideOfServicesToo(String beginning, String reason) {
        String text = beginning + "<Service><Connector port='0'/><Engine><Host/></Engine></Service></Server>";
        assertNull(new ServerXml(base, Set.of("nio"), problems).parse(text));
        assertTrue(found().toString().contains(reason), () -> found().toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            adress="127.0.0.1" | unknown attribute 'adress' on Connector; did you mean 'address'?
            maxPostSiz="100" | unknown attribute 'maxPostSiz' on Connector; did you mean 'maxPostSize'?
            conectionTimeout="100" | unknown attribute 'conectionTimeout' on Connector; did you mean 'connectionTimeout'?
            clientAuht="true" | unknown attribute 'clientAuht' on Connector; did you mean 'clientAuth'?
            ipv6v6only="true" | expected false
            useIPVHosts="true" | expected false
            """)
    void stopsTheStartIfItIsAnAttributeOfAConnector(String attribute, String reason) {
        assertNull(parse(attribute, "", "", problems));
        assertTrue(found().toString().contains(reason), () -> found().toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            Valve className="org.apache.catalina.ha.authenticator.ClusterSingleSignOn" | ClusterSingleSignOn is ignored: users log in to each application separately
            Valve className="org.apache.catalina.valves.ErrorReportValve" | the Valve shows messages and stack traces of errors to clients
            Valve className="org.apache.catalina.valves.ProxyErrorReportValve" | is ignored: error pages are not fetched from URLs
            Valve className="org.apache.catalina.valves.StuckThreadDetectionValve" treshold="5" | unknown attribute 'treshold' on Valve; did you mean 'threshold'?
            Valve className="org.apache.catalina.valves.JDBCAccessLogValve" | is ignored: access logs are not written to databases
            Cluster className="org.apache.catalina.ha.tcp.SimpleTcpCluster" | Cluster is ignored: sessions are not replicated; install the engine that does it (unzip millrace-infinispan-*.zip -d
            Cluster className="com.example.OurCluster" whatever="1" | Cluster is ignored: sessions are not replicated
            """)
    void isNotWhatIsIgnored(String element, String warning) {
        assertNotNull(parse("", "<" + element + "/>", "", problems), () -> found().toString());
        assertEquals(1, found().size());
        assertTrue(found().get(0).contains("warning: ") && found().get(0).contains(warning), found().get(0));
    }

    @Test
    void isReadFromEngineHostAndContextInTheirOrder() throws IOException {
        String addresses =
                "<Valve className=\"org.apache.catalina.valves.RemoteCIDRValve\" allow=\"10.0.0.0/8, ::1\"/>";
        String relay = "<Valve className=\"org.apache.catalina.valves.RemoteIpValve\"/>";
        ServerConfig config = parse("", addresses + relay, relay + addresses, problems);
        assertNotNull(config, () -> found().toString());
        assertEquals(List.of(), found());
        ServerConfig.Engine engine = config.services().get(0).engine();
        assertEquals(List.of("RemoteCIDRValve", "RemoteIpValve"), names(engine.valves()));
        assertEquals(
                List.of("RemoteIpValve", "RemoteCIDRValve"),
                names(engine.hosts().get(0).valves()));
        Files.createDirectories(base.resolve("conf"));
        Files.writeString(base.resolve("conf/context.xml"), "<Context>" + addresses + "</Context>");
        context("<Context>" + addresses + "</Context>");
        ContextReading reading = reading(true);
        assertNull(reading.defect());
        assertEquals(
                List.of("RemoteCIDRValve", "RemoteCIDRValve"),
                names(reading.settings().valves()),
                "those of all files hold");
    }

    private static List<String> names(List<Element> valves) {
        return valves.stream()
                .map(valve -> ((ValveKind) valve.kind()).simpleName())
                .toList();
    }

    @Test
    void saysOfAValveThatNamesNobodyThatItKeepsEverybodyOut() {
        assertNotNull(parse("", "<Valve className='org.apache.catalina.valves.RemoteAddrValve'/>", "", problems));
        assertTrue(found().get(0).contains("warning: the Valve has neither allow nor deny"), () -> found().toString());
    }

    @Test
    void isNeverReplacedByTheRealmOfTheEngine() throws IOException {
        context("<Context><Realm className='com.example.Own'/></Context>");
        ContextReading reading = reading(true);
        assertNull(reading.defect());
        assertNotNull(Objects.requireNonNull(reading.realm()).defect());
    }

    @Test
    void isOfTheEngineAgainWhereAContextOverridesTheDefaults() throws IOException {
        Files.createDirectories(base.resolve("conf"));
        Files.writeString(
                base.resolve("conf/context.xml"),
                "<Context><Realm className='org.apache.catalina.realm.NullRealm'/></Context>");
        context("<Context/>");
        assertNotNull(reading(true).realm());
        context("<Context override='true'/>");
        assertNull(reading(true).realm());
    }

    @Test
    void isNotReadFromAnApplicationWhereTheHostSaysSoAndThenItIsNotDeployed() throws IOException {
        assertNull(reading(false).defect(), "it brings none");
        context("<Context/>");
        String defect = Objects.requireNonNull(reading(false).defect());
        assertTrue(defect.contains("deployXML=\"false\"; write conf/Catalina/localhost/shop.xml instead"), defect);
        Files.createDirectories(base.resolve("conf/Catalina/localhost"));
        Files.writeString(base.resolve("conf/Catalina/localhost/shop.xml"), "<Context/>");
        assertNull(reading(false).defect());
    }

    private void context(String text) throws IOException {
        Path file = base.resolve("webapps/shop/META-INF/context.xml");
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
    }

    private ContextReading reading(boolean deployXml) {
        return ContextFiles.of(base, base.resolve("conf/Catalina/localhost"), List.of(), deployXml)
                .read("shop", base.resolve("webapps/shop"));
    }

    private @Nullable ServerConfig parse(String connector, String inEngine, String inHost, Problems found) {
        return new ServerXml(base, Set.of("nio"), found)
                .parse("<Server><Service><Connector port='0' " + connector + "/><Engine>" + inEngine + "<Host>" + inHost
                        + "</Host></Engine></Service></Server>");
    }

    private List<String> found() {
        return problems.inOrder().stream().map(Problem::toString).toList();
    }
}
