package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.ElementReader;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.config.xml.XmlElement;
import io.millrace.testkit.Connectors;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each attribute that Tomcat's own classes take is in the vocabulary, with what becomes of it; where the element decides who is
 * let in, one that is not is an error. So nothing that Tomcat restricts is lost with the warning that a name is unknown.
 */
@Tag("wars")
final class TomcatVocabularyIT {

    /** Setters that are no settings: what JMX and Tomcat's own machinery say. */
    private static final Set<String> INNER = Set.of(
            "configured",
            "daemon",
            "domain",
            "duplicates",
            "effectiveMajorVersion",
            "effectiveMinorVersion",
            "expiredSessions",
            "j2EEApplication",
            "j2EEServer",
            "lookupName",
            "maxActive",
            "name",
            "originalDocBase",
            "portOffset",
            "processingTime",
            "publicId",
            "server",
            "sessionCounter",
            "sessionMaxAliveTime",
            "startChildren",
            "startupTime",
            "throwOnFailure",
            "tldScanTime");

    private static URLClassLoader tomcat;

    @BeforeAll
    static void open() throws IOException {
        Path home = Path.of(System.getProperty("millrace.wars", "")).resolve("apache-tomcat-9.0.98");
        List<URL> jars = new ArrayList<>();
        jars.add(home.resolve("bin/tomcat-juli.jar").toUri().toURL());
        try (Stream<Path> lib = Files.list(home.resolve("lib"))) {
            for (Path jar : lib.toList()) {
                jars.add(jar.toUri().toURL());
            }
        }
        tomcat = new URLClassLoader(jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    @AfterAll
    static void close() throws IOException {
        tomcat.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Server | catalina.core.StandardServer",
                "Service | catalina.core.StandardService",
                "Executor | catalina.core.StandardThreadExecutor",
                "Engine | catalina.core.StandardEngine",
                "Host | catalina.core.StandardHost",
                "Context | catalina.core.StandardContext",
                "Connector | catalina.connector.Connector coyote.http11.Http11NioProtocol coyote.http11.Http11Nio2Protocol"
                        + " coyote.http11.Http11AprProtocol tomcat.util.net.NioEndpoint tomcat.util.net.Nio2Endpoint"
                        + " tomcat.util.net.AprEndpoint",
                "Connector AJP/1.3 | catalina.connector.Connector coyote.ajp.AjpNioProtocol coyote.ajp.AjpAprProtocol"
                        + " tomcat.util.net.NioEndpoint",
                "Manager | catalina.session.StandardManager catalina.session.PersistentManager",
                "Store | catalina.session.FileStore",
                "Store org.apache.catalina.session.JDBCStore | catalina.session.JDBCStore",
                "Valve org.apache.catalina.valves.CrawlerSessionManagerValve | catalina.valves.CrawlerSessionManagerValve",
                "Valve org.apache.catalina.valves.LoadBalancerDrainingValve | catalina.valves.LoadBalancerDrainingValve",
                "Valve org.apache.catalina.valves.PersistentValve | catalina.valves.PersistentValve",
                "Valve org.apache.catalina.valves.StuckThreadDetectionValve | catalina.valves.StuckThreadDetectionValve",
                "SessionIdGenerator | catalina.util.StandardSessionIdGenerator",
                "CookieProcessor | tomcat.util.http.Rfc6265CookieProcessor tomcat.util.http.LegacyCookieProcessor",
                "Loader | catalina.loader.WebappLoader",
                "Resources | catalina.webresources.StandardRoot",
                "Parameter | tomcat.util.descriptor.web.ApplicationParameter",
                "Environment | tomcat.util.descriptor.web.ContextEnvironment",
            })
    void hasEachAttribute(String element, String classes) throws Exception {
        Connectors.assume(element.contains("AJP"), "ajp");
        XmlElement written = written(element);
        Set<String> unknown = unknown(written, classes);
        unknown.removeAll(INNER);
        assertEquals(Set.of(), unknown);
    }

    @ParameterizedTest
    @CsvSource({
        "SSLHostConfig, tomcat.util.net.SSLHostConfig",
        "Certificate, tomcat.util.net.SSLHostConfigCertificate",
        "Valve, catalina.authenticator.BasicAuthenticator",
        "Valve, catalina.authenticator.DigestAuthenticator",
        "Valve, catalina.authenticator.FormAuthenticator",
        "Valve, catalina.authenticator.SSLAuthenticator",
        "Valve, catalina.authenticator.SpnegoAuthenticator",
        "Valve, catalina.authenticator.NonLoginAuthenticator",
        "Valve, catalina.valves.RemoteIpValve",
        "Valve, catalina.valves.RemoteAddrValve",
        "Valve, catalina.valves.RemoteCIDRValve",
        "Valve, catalina.valves.RemoteHostValve",
        "Valve, catalina.valves.rewrite.RewriteValve",
        "Realm, catalina.realm.UserDatabaseRealm",
        "Realm, catalina.realm.MemoryRealm",
        "Realm, catalina.realm.JDBCRealm",
        "Realm, catalina.realm.DataSourceRealm",
        "Realm, catalina.realm.JNDIRealm",
        "Realm, catalina.realm.JAASRealm",
        "Realm, catalina.realm.AuthenticatedUserRealm",
        "Realm, catalina.realm.CombinedRealm",
        "Realm, catalina.realm.LockOutRealm",
        "Realm, catalina.realm.NullRealm",
        "CredentialHandler, catalina.realm.MessageDigestCredentialHandler",
        "CredentialHandler, catalina.realm.SecretKeyCredentialHandler",
        "CredentialHandler, catalina.realm.NestedCredentialHandler",
    })
    void refusesEachUnknownAttributeOfAGuard(String element, String type) throws Exception {
        XmlElement written = written(element + " org.apache." + type);
        List<XmlElement.Attribute> own = written.attributes();
        for (String name : unknown(written, type)) {
            List<XmlElement.Attribute> more = new ArrayList<>(own);
            more.add(new XmlElement.Attribute(name, "x", 1));
            Problems problems = new Problems("server.xml");
            new ElementReader(Vocabulary::of, problems).read(new XmlElement(element, 1, "line 1", more, List.of(), ""));
            assertEquals(
                    true,
                    problems.inOrder().toString().contains("error: unknown attribute '" + name + "'"),
                    name + ": " + problems.inOrder());
        }
    }

    /** The word behind the name is its className or, of a Connector, its protocol. */
    private static XmlElement written(String element) {
        String[] words = element.split(" ", -1);
        String attribute = words[0].equals("Connector") ? "protocol" : "className";
        List<XmlElement.Attribute> attributes =
                words.length == 1 ? List.of() : List.of(new XmlElement.Attribute(attribute, words[1], 1));
        return new XmlElement(words[0], 1, "line 1", attributes, List.of(), "");
    }

    private static Set<String> unknown(XmlElement element, String classes) throws Exception {
        Element.Kind kind = Vocabulary.of(element);
        assertFalse(kind.attributes().isEmpty(), element.toString());
        Set<String> unknown = new TreeSet<>();
        for (String name : classes.split(" ", -1)) {
            Arrays.stream(tomcat.loadClass("org.apache." + name).getMethods())
                    .filter(TomcatVocabularyIT::isSetter)
                    .map(method -> method.getName().substring("set".length()))
                    .filter(property -> !kind.attributes().containsKey(property))
                    .map(property -> property.substring(0, 1).toLowerCase(Locale.ROOT) + property.substring(1))
                    .filter(property -> !kind.attributes().containsKey(property))
                    .forEach(unknown::add);
        }
        return unknown;
    }

    /** Of a type that an attribute's text is turned into. */
    private static boolean isSetter(Method method) {
        if (!method.getName().matches("set.+") || method.getParameterCount() != 1) {
            return false;
        }
        Class<?> type = method.getParameterTypes()[0];
        return type.isPrimitive()
                || type.equals(String.class)
                || type.equals(Boolean.class)
                || type.equals(InetAddress.class);
    }
}
