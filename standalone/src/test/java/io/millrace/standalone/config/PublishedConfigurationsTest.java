package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.config.ServerConfig.Context;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.ElementReader;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.config.xml.XmlElement;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is written into server.xml again and again although Tomcat knows it otherwise, or not at all … */
final class PublishedConfigurationsTest {

    private final Problems problems = new Problems("server.xml");

    @ParameterizedTest
    @CsvSource({"/, ''", "shop, /shop", "/shop/, /shop", "shop//, /shop", "//, ''"})
    void isAPathThatIsReadAsTomcatReadsIt(String written, String read) {
        ServerConfig config = parse("", "<Context path='" + written + "' docBase='x'/>");
        Context context = Objects.requireNonNull(config)
                .services()
                .get(0)
                .engine()
                .hosts()
                .get(0)
                .contexts()
                .get(0);
        assertEquals(read, context.path());
        assertTrue(
                found().get(0)
                        .startsWith("server.xml:2: warning: path=\"" + written + "\" on Context is read as \"" + read
                                + "\", as in Tomcat"),
                () -> found().toString());
    }

    @Test
    void areAttributesOfRemoteIpValveThatThereAreNot() {
        assertNotNull(parse(
                "<Valve className='org.apache.catalina.valves.RemoteIpValve' remoteIpHeader='x-forwarded-for'"
                        + " remoteIpProxiesHeader='x-forwarded-by' resolveHosts='false'/>",
                ""));
        assertEquals(
                List.of("server.xml:1: warning: remoteIpProxiesHeader on Valve is ignored: Tomcat has no such attribute"
                        + " either; set proxiesHeader instead"),
                found());
    }

    @ParameterizedTest
    @CsvSource({"root, 0027, the user root must not start the server", "Root, 0027, the user Root must not"})
    void isASecurityListenerThatRefusesUsers(String user, String mask, String reason) {
        listener("", user, mask);
        assertTrue(found().get(0).contains("error: SecurityListener: " + reason), () -> found().toString());
    }

    @ParameterizedTest
    @CsvSource({
        "'', ann, 0027",
        "'', ann, 0007",
        "minimumUmask='', ann, 0000",
        "minimumUmask='0022', ann, 0022",
        "checkedOsUsers='', root, 0077",
        "checkedOsUsers='bob', root, 0077",
    })
    void isASecurityListenerThatIsContent(String attributes, String user, String mask) {
        listener(attributes, user, mask);
        assertEquals(List.of(), found());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | 0022 | the umask is 0022, expected at least 0007",
                "minimumUmask='0027' | 0007 | expected at least 0027",
                "'' | | the umask is not known",
                "minimumUmask='9' | 0077 | expected octal digits",
                "checkedOsUsers='bob, ann' | 0077 | the user ann must not",
            })
    void isASecurityListenerThatRefusesAMask(String attributes, @Nullable String mask, String reason) {
        listener(attributes, "ann", mask);
        assertTrue(found().toString().contains("error: "), () -> found().toString());
        assertTrue(found().toString().contains(reason), () -> found().toString());
    }

    private void listener(String attributes, String user, @Nullable String mask) {
        List<XmlElement.Attribute> read = List.of(attributes.split("' ", -1)).stream()
                .filter(each -> !each.isEmpty())
                .map(each -> new XmlElement.Attribute(
                        each.substring(0, each.indexOf('=')),
                        each.substring(each.indexOf('=') + 1).replace("'", ""),
                        1))
                .toList();
        XmlElement element = new XmlElement("Listener", 1, "line 1", read, List.of(), "");
        Element listener = new ElementReader(xml -> new Element.Kind("Listener"), problems).read(element);
        new Listeners.SecurityListener(listener, problems, user, mask).check();
    }

    @Test
    void isASecurityListenerInItsPlace() {
        parse("", "");
        assertFalse(found().toString().contains("SecurityListener"));
        ServerXml reader = new ServerXml(Path.of("/base"), Set.of("nio"), problems);
        reader.parse("<Server><Listener className='org.apache.catalina.security.SecurityListener' checkedOsUsers='"
                + System.getProperty("user.name")
                + "'/><Service><Connector port='0'/><Engine><Host/></Engine></Service></Server>");
        assertTrue(found().toString().contains("must not start the server"), () -> found().toString());
    }

    private @Nullable ServerConfig parse(String inEngine, String inHost) {
        return new ServerXml(Path.of("/base"), Set.of("nio"), problems)
                .parse("<Server><Service><Connector port='0'/><Engine>" + inEngine + "<Host>\n" + inHost
                        + "</Host></Engine></Service></Server>");
    }

    private List<String> found() {
        return problems.inOrder().stream().map(Problem::toString).toList();
    }
}
