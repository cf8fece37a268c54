package io.millrace.servlet.deploy.xml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.deploy.Archive;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.FilterMappingModel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DescriptorMergeTest {

    private static Descriptor read(String source, String elements) throws DeploymentException {
        return DescriptorReader.read(source, Archive.webApp(elements).getBytes(StandardCharsets.UTF_8));
    }

    private static Descriptor merge(String main, String... fragments) throws DeploymentException {
        DescriptorMerge merge = new DescriptorMerge(read("web.xml", main));
        for (int i = 0; i < fragments.length; i++) {
            merge.add(read("fragment" + (i + 1), fragments[i]));
        }
        return merge.finish();
    }

    private static String parameter(String name, String value) {
        return "<context-param><param-name>" + name + "</param-name><param-value>" + value
                + "</param-value></context-param>";
    }

    private static String servlet(String name, String rest) {
        return "<servlet><servlet-name>" + name + "</servlet-name>" + rest + "</servlet>";
    }

    private static String mapping(String kind, String name, String pattern) {
        return "<" + kind + "-mapping><" + kind + "-name>" + name + "</" + kind + "-name><url-pattern>" + pattern
                + "</url-pattern></" + kind + "-mapping>";
    }

    private static Descriptor withDefaults(String main, String... strongestFirst) throws DeploymentException {
        Descriptor complete = read("web.xml", main);
        for (String elements : strongestFirst) {
            DescriptorMerge.defaults(complete, read("conf/web.xml", elements));
        }
        return complete;
    }

    @Test
    void laysDefaultsUnderACompleteDescriptor() throws DeploymentException {
        String constraint = "<security-constraint><web-resource-collection><url-pattern>%s</url-pattern>"
                + "</web-resource-collection><auth-constraint/></security-constraint>";
        Descriptor merged = withDefaults(
                parameter("a", "1") + constraint.formatted("/own/*") + mapping("filter", "f", "/own"),
                parameter("a", "2")
                        + parameter("b", "2")
                        + constraint.formatted("/all/*")
                        + "<session-config><session-timeout>7</session-timeout></session-config>"
                        + "<login-config><auth-method>BASIC</auth-method></login-config>"
                        + "<request-character-encoding>UTF-8</request-character-encoding>"
                        + mapping("filter", "f", "/all")
                        + mapping("filter", "g", "/all"),
                parameter("b", "3") + parameter("c", "3"));
        assertEquals(Map.of("a", "1", "b", "2", "c", "3"), merged.contextParameters);
        assertEquals(2, merged.securityConstraints.size());
        assertEquals(7, merged.session.timeoutMinutes);
        assertEquals("UTF-8", merged.requestCharacterEncoding);
        assertEquals(
                List.of("f /own", "g /all"),
                merged.filterMappings.stream()
                        .map(each -> each.filterName() + " " + each.urlPattern())
                        .toList());
    }

    @Test
    void takesWelcomeFilesOfTheDefaultsOnlyIfThereAreNoOthers() throws DeploymentException {
        String files = "<welcome-file-list><welcome-file>%s</welcome-file></welcome-file-list>";
        assertEquals(Set.of("own"), withDefaults(files.formatted("own"), files.formatted("all")).welcomeFiles);
        assertEquals(Set.of("host"), withDefaults("", files.formatted("host"), files.formatted("all")).welcomeFiles);
    }

    @Test
    void knowsWhatOnlyTheDefaultsSayOfServlets() throws DeploymentException {
        Descriptor merged = withDefaults(
                servlet("own", "<servlet-class>Own</servlet-class>") + mapping("servlet", "own", "/"),
                servlet("own", "<load-on-startup>1</load-on-startup>")
                        + servlet("default", "<servlet-class>D</servlet-class>")
                        + mapping("servlet", "default", "/")
                        + mapping("servlet", "default", "/files/*"));
        assertEquals(Map.of("/", "own", "/files/*", "default"), merged.servletMappings);
        assertEquals(Set.of("default"), merged.defaultServlets);
        assertEquals(Set.of("/files/*"), merged.defaultMappings);
        assertEquals(1, merged.servlet("own").loadOnStartup);
    }

    @Test
    void addsUpWhatFragmentsSay() throws DeploymentException {
        Descriptor merged = merge(parameter("a", "1"), parameter("b", "2"), parameter("c", "3") + parameter("b", "2"));
        assertEquals(Map.of("a", "1", "b", "2", "c", "3"), merged.contextParameters);
    }

    @Test
    void letsWebXmlDecide() throws DeploymentException {
        Descriptor merged = merge(parameter("a", "1"), parameter("a", "2"), parameter("a", "3"));
        assertEquals(Map.of("a", "1"), merged.contextParameters);
    }

    @Test
    void completesAServletOfWebXml() throws DeploymentException {
        String init = "<init-param><param-name>%s</param-name><param-value>%s</param-value></init-param>";
        Descriptor merged = merge(
                servlet("s", "<servlet-class>S</servlet-class>" + init.formatted("a", "1")),
                servlet(
                        "s",
                        "<servlet-class>Other</servlet-class>" + init.formatted("a", "2") + init.formatted("b", "3")
                                + "<load-on-startup>5</load-on-startup>"));
        ServletDeclaration servlet = merged.servlet("s");
        assertEquals("S", servlet.className);
        assertEquals(Map.of("a", "1", "b", "3"), servlet.initParameters);
        assertEquals(5, servlet.loadOnStartup);
    }

    @Test
    void dropsAFragmentsMappingsOfWhatWebXmlMaps() throws DeploymentException {
        String servlet = servlet("s", "<servlet-class>S</servlet-class>");
        String filter = "<filter><filter-name>f</filter-name><filter-class>F</filter-class></filter>";
        Descriptor merged = merge(
                servlet + filter + mapping("servlet", "s", "/main") + mapping("filter", "f", "/main"),
                mapping("servlet", "s", "/fragment") + mapping("filter", "f", "/fragment"));
        assertEquals(Map.of("/main", "s"), merged.servletMappings);
        assertEquals(
                List.of("/main"),
                merged.filterMappings.stream()
                        .map(FilterMappingModel::urlPattern)
                        .toList());
    }

    @Test
    void takesAPatternFromTheFragmentThatWebXmlGaveToAnother() throws DeploymentException {
        Descriptor merged = merge(mapping("servlet", "mine", "/x"), mapping("servlet", "theirs", "/x"));
        assertEquals(Map.of("/x", "mine"), merged.servletMappings);
    }

    @Test
    void keepsFilterMappingsInOrderWebXmlFirst() throws DeploymentException {
        Descriptor merged = merge(
                mapping("filter", "a", "/1"),
                mapping("filter", "b", "/2"),
                mapping("filter", "c", "/3") + mapping("filter", "b", "/4"));
        assertEquals(
                List.of("/1", "/2", "/3", "/4"),
                merged.filterMappings.stream()
                        .map(FilterMappingModel::urlPattern)
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            <distributable/> | <distributable/> | true
            <distributable/> | '' | false
            '' | <distributable/> | false
            """)
    void isDistributableOnlyIfAllAre(String main, String fragment, boolean expected) throws DeploymentException {
        assertEquals(expected, merge(main, fragment).distributable);
    }

    @Test
    void refusesFragmentsThatContradictEachOther() {
        List<List<String>> pairs = List.of(
                List.of(parameter("a", "1"), parameter("a", "2"), "context-param \"a\""),
                List.of(
                        servlet("s", "<servlet-class>A</servlet-class>"),
                        servlet("s", "<servlet-class>B</servlet-class>"),
                        "servlet-class of servlet s"),
                List.of(
                        servlet("s", "<load-on-startup>1</load-on-startup>"),
                        servlet("s", "<load-on-startup>2</load-on-startup>"),
                        "load-on-startup of servlet s"),
                List.of(
                        "<session-config><session-timeout>1</session-timeout></session-config>",
                        "<session-config><session-timeout>2</session-timeout></session-config>",
                        "session-timeout"),
                List.of(
                        "<error-page><error-code>404</error-code><location>/a</location></error-page>",
                        "<error-page><error-code>404</error-code><location>/b</location></error-page>",
                        "error-page \"404\""));
        for (List<String> pair : pairs) {
            DeploymentException refusal =
                    assertThrows(DeploymentException.class, () -> merge("", pair.get(0), pair.get(1)), pair.get(2));
            assertTrue(refusal.getMessage().startsWith("fragment2 and fragment1 contradict"), refusal.getMessage());
            assertTrue(refusal.getMessage().contains(pair.get(2)), refusal.getMessage());
        }
    }
}
