package io.millrace.servlet.deploy.xml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.deploy.Archive;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.ErrorPageModel;
import io.millrace.servlet.model.FilterMappingModel;
import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.servlet.model.MultipartModel;
import io.millrace.servlet.model.SecurityConstraintModel;
import io.millrace.servlet.model.SecurityConstraintModel.Resources;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.servlet.DispatcherType;
import javax.servlet.SessionTrackingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DescriptorReaderTest {

    private static Descriptor read(String xml) throws DeploymentException {
        return DescriptorReader.read("WEB-INF/web.xml", xml.getBytes(StandardCharsets.UTF_8));
    }

    private static Descriptor webApp(String elements) throws DeploymentException {
        return read(Archive.webApp(elements));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            2.2 | <!DOCTYPE web-app PUBLIC "-//Sun Microsystems, Inc.//DTD Web Application 2.2//EN" "http://java.sun.com/j2ee/dtds/web-app_2_2.dtd"><web-app>
            2.3 | <!DOCTYPE web-app PUBLIC "-//Sun Microsystems, Inc.//DTD Web Application 2.3//EN" "http://java.sun.com/dtd/web-app_2_3.dtd"><web-app>
            2.4 | <web-app xmlns="http://java.sun.com/xml/ns/j2ee" version="2.4">
            2.5 | <web-app xmlns="http://java.sun.com/xml/ns/javaee" version="2.5">
            3.0 | <web-app xmlns="http://java.sun.com/xml/ns/javaee" version="3.0" metadata-complete="false">
            3.1 | <j:web-app xmlns:j="http://xmlns.jcp.org/xml/ns/javaee" xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="3.1">
            4.0 | <web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="4.0">
            3.1 | <web-app>
            """)
    void readsEveryVersion(String version, String start) throws DeploymentException {
        String end = start.contains("<j:") ? "</j:web-app>" : "</web-app>";
        Descriptor descriptor =
                read(start + "<servlet><servlet-name>a</servlet-name><servlet-class>A</servlet-class></servlet>"
                        + "<servlet-mapping><servlet-name>a</servlet-name><url-pattern>/a</url-pattern></servlet-mapping>"
                        + end);
        assertEquals(version, descriptor.version);
        assertEquals("A", descriptor.servlet("a").className);
        assertEquals(Map.of("/a", "a"), descriptor.servletMappings);
    }

    @Test
    void replacesPlaceholdersBySystemPropertiesAsTomcatDoes() throws DeploymentException {
        Descriptor descriptor = webApp("""
                <context-param>
                  <param-name>java</param-name><param-value>${java.specification.version}/x</param-value>
                </context-param>
                <context-param><param-name>path</param-name><param-value>${PATH}</param-value></context-param>
                <context-param>
                  <param-name>both</param-name><param-value>${no.such.property}:${line.separator:-x}</param-value>
                </context-param>
                <session-config><session-timeout>${no.such.property:-420}</session-timeout></session-config>
                """);
        assertEquals(System.getProperty("java.specification.version") + "/x", descriptor.contextParameters.get("java"));
        assertEquals("${PATH}", descriptor.contextParameters.get("path"), "an environment variable");
        assertEquals(420, descriptor.session.timeoutMinutes);
        assertEquals(2, descriptor.unsetPlaceholders.size(), descriptor.unsetPlaceholders::toString);
        assertTrue(descriptor.unsetPlaceholders.get(1).contains("'no.such.property'"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<url-pattern>/${no.such}/*</url-pattern>",
                "<url-pattern>/*</url-pattern><http-method>${no.such}</http-method>",
                "<url-pattern>/*</url-pattern><http-method-omission>GET${no.such}</http-method-omission>"
            })
    void refusesConstraintsOnRequestsThatDependOnAPlaceholderWithoutAValue(String requests) {
        String constraint = "<security-constraint><web-resource-collection><web-resource-name>r</web-resource-name>"
                + requests + "</web-resource-collection><auth-constraint/></security-constraint>";
        DeploymentException refused = assertThrows(DeploymentException.class, () -> webApp(constraint));
        assertTrue(String.valueOf(refused.getMessage()).contains("'no.such'"), refused::getMessage);
    }

    @Test
    void refusesMappingsOfFiltersThatDependOnAPlaceholderWithoutAValue() {
        assertThrows(DeploymentException.class, () -> webApp("""
                <filter><filter-name>f</filter-name><filter-class>a.F</filter-class></filter>
                <filter-mapping><filter-name>f</filter-name><url-pattern>/${no.such}/*</url-pattern></filter-mapping>
                """));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cp1252", "Cp1252", "ISO8859_1", "windows-1252", "UTF-16", "UTF8"})
    void readsEncodingsByTheirNamesInJava(String encoding) throws DeploymentException {
        String text = "<?xml version='1.0' encoding='" + encoding
                + "'?><web-app><display-name>gr\u00fcn</display-name></web-app>";
        Descriptor descriptor = DescriptorReader.read("WEB-INF/web.xml", text.getBytes(Charset.forName(encoding)));
        assertEquals("gr\u00fcn", descriptor.displayName);
    }

    @Test
    void readsAServletWithAllItsParts() throws DeploymentException {
        ServletDeclaration servlet = webApp("""
                <servlet>
                  <description>d</description>
                  <servlet-name> upload </servlet-name>
                  <servlet-class>
                     shop.Upload
                  </servlet-class>
                  <init-param><param-name>a</param-name><param-value>1</param-value></init-param>
                  <init-param><param-name>empty</param-name><param-value/></init-param>
                  <load-on-startup>3</load-on-startup>
                  <async-supported>true</async-supported>
                  <run-as><role-name>robot</role-name></run-as>
                  <security-role-ref><role-name>boss</role-name><role-link>manager</role-link></security-role-ref>
                  <security-role-ref><role-name>self</role-name></security-role-ref>
                  <multipart-config>
                    <location>parts</location><max-file-size>5000000000</max-file-size>
                    <max-request-size>6000000000</max-request-size><file-size-threshold>4096</file-size-threshold>
                  </multipart-config>
                </servlet>
                """).servlet("upload");
        assertEquals("shop.Upload", servlet.className);
        assertEquals(Map.of("a", "1", "empty", ""), servlet.initParameters);
        assertEquals(3, servlet.loadOnStartup);
        assertEquals(true, servlet.asyncSupported);
        assertEquals("robot", servlet.runAs);
        assertEquals(Map.of("boss", "manager", "self", "self"), servlet.roleReferences);
        assertEquals(new MultipartModel("parts", 5_000_000_000L, 6_000_000_000L, 4096), servlet.multipart);
    }

    @Test
    void leavesOpenWhatIsNotSaid() throws DeploymentException {
        ServletDeclaration servlet = webApp(
                        "<servlet><servlet-name>a</servlet-name><jsp-file>/a.jsp</jsp-file></servlet>")
                .servlet("a");
        assertEquals("/a.jsp", servlet.jspFile);
        assertNull(servlet.className);
        assertNull(servlet.loadOnStartup);
        assertNull(servlet.asyncSupported);
        assertNull(servlet.multipart);
    }

    @Test
    void takesAnEmptyLoadOnStartupAsYes() throws DeploymentException {
        ServletDeclaration servlet = webApp(
                        "<servlet><servlet-name>a</servlet-name><servlet-class>A</servlet-class><load-on-startup/></servlet>")
                .servlet("a");
        assertEquals(0, servlet.loadOnStartup);
    }

    @Test
    void readsFiltersAndTheirMappingsInOrder() throws DeploymentException {
        Descriptor descriptor = webApp("""
                <filter><filter-name>f</filter-name><filter-class>F</filter-class><async-supported/>
                  <init-param><param-name>p</param-name><param-value>v</param-value></init-param></filter>
                <filter-mapping><filter-name>f</filter-name><url-pattern>/*</url-pattern><servlet-name>s</servlet-name>
                  <dispatcher>REQUEST</dispatcher><dispatcher>ASYNC</dispatcher></filter-mapping>
                <filter-mapping><filter-name>f</filter-name><url-pattern>*.do</url-pattern></filter-mapping>
                """);
        Set<DispatcherType> two = EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC);
        assertEquals(
                List.of(
                        new FilterMappingModel("f", "/*", null, two),
                        new FilterMappingModel("f", null, "s", two),
                        new FilterMappingModel("f", "*.do", null, EnumSet.of(DispatcherType.REQUEST))),
                descriptor.filterMappings);
        assertEquals("F", descriptor.filter("f").className);
        assertEquals(true, descriptor.filter("f").asyncSupported);
    }

    @Test
    void readsTheSmallerSettings() throws DeploymentException {
        Descriptor descriptor = webApp("""
                <display-name>Shop</display-name><distributable/>
                <context-param><param-name>a</param-name><param-value> 1 </param-value></context-param>
                <listener><listener-class>L1</listener-class></listener><listener><listener-class>L2</listener-class></listener>
                <welcome-file-list><welcome-file>home.html</welcome-file><welcome-file>/x.jsp</welcome-file></welcome-file-list>
                <error-page><error-code>404</error-code><location>/404.html</location></error-page>
                <error-page><exception-type>java.io.IOException</exception-type><location>/io</location></error-page>
                <error-page><location>/any</location></error-page>
                <mime-mapping><extension>ABC</extension><mime-type>text/abc</mime-type></mime-mapping>
                <locale-encoding-mapping-list><locale-encoding-mapping><locale>ja</locale><encoding>Shift_JIS</encoding>
                  </locale-encoding-mapping></locale-encoding-mapping-list>
                <default-context-path>/shop</default-context-path>
                <request-character-encoding>UTF-8</request-character-encoding>
                <response-character-encoding>UTF-16</response-character-encoding>
                <deny-uncovered-http-methods/>
                """);
        assertEquals("Shop", descriptor.displayName);
        assertTrue(descriptor.distributable);
        assertTrue(descriptor.denyUncoveredHttpMethods);
        assertEquals(Map.of("a", "1"), descriptor.contextParameters);
        assertEquals(List.of("L1", "L2"), List.copyOf(descriptor.listeners));
        assertEquals(List.of("home.html", "x.jsp"), List.copyOf(descriptor.welcomeFiles));
        assertEquals(
                List.of(
                        new ErrorPageModel(404, null, "/404.html"),
                        new ErrorPageModel(0, "java.io.IOException", "/io"),
                        new ErrorPageModel(0, null, "/any")),
                List.copyOf(descriptor.errorPages.values()));
        assertEquals(Map.of("abc", "text/abc"), descriptor.mimeTypes);
        assertEquals(Map.of("ja", "Shift_JIS"), descriptor.localeEncodings);
        assertEquals("/shop", descriptor.defaultContextPath);
        assertEquals("UTF-8", descriptor.requestCharacterEncoding);
        assertEquals("UTF-16", descriptor.responseCharacterEncoding);
    }

    @Test
    void readsSessionConfig() throws DeploymentException {
        SessionDeclaration session = webApp("""
                <session-config><session-timeout>-1</session-timeout>
                  <cookie-config><name>SID</name><path>/x</path><http-only>false</http-only><secure>true</secure>
                    <max-age>60</max-age></cookie-config>
                  <tracking-mode>COOKIE</tracking-mode><tracking-mode>url</tracking-mode></session-config>
                """).session;
        assertEquals(-1, session.timeoutMinutes);
        assertEquals("SID", session.cookieName);
        assertEquals("/x", session.cookiePath);
        assertEquals(false, session.cookieHttpOnly);
        assertEquals(true, session.cookieSecure);
        assertEquals(60, session.cookieMaxAge);
        assertEquals(EnumSet.of(SessionTrackingMode.COOKIE, SessionTrackingMode.URL), session.trackingModes);
    }

    @Test
    void readsSecurity() throws DeploymentException {
        Descriptor descriptor = webApp("""
                <security-constraint>
                  <web-resource-collection><web-resource-name>n</web-resource-name><url-pattern>/a/*</url-pattern>
                    <http-method>GET</http-method></web-resource-collection>
                  <web-resource-collection><url-pattern>/b</url-pattern><http-method-omission>PUT</http-method-omission>
                    </web-resource-collection>
                  <auth-constraint><role-name>admin</role-name><role-name>**</role-name></auth-constraint>
                  <user-data-constraint><transport-guarantee>CONFIDENTIAL</transport-guarantee></user-data-constraint>
                </security-constraint>
                <security-constraint><web-resource-collection><url-pattern>/no</url-pattern></web-resource-collection>
                  <auth-constraint/></security-constraint>
                <security-role><role-name>admin</role-name></security-role>
                <login-config><auth-method>form</auth-method><realm-name>R</realm-name><form-login-config>
                  <form-login-page>/in</form-login-page><form-error-page>/err</form-error-page></form-login-config></login-config>
                """);
        assertEquals(
                List.of(
                        new SecurityConstraintModel(
                                List.of(
                                        new Resources(List.of("/a/*"), List.of("GET"), List.of()),
                                        new Resources(List.of("/b"), List.of(), List.of("PUT"))),
                                List.of("admin", "**"),
                                true),
                        new SecurityConstraintModel(
                                List.of(new Resources(List.of("/no"), List.of(), List.of())), List.of(), false)),
                descriptor.securityConstraints);
        assertEquals(Set.of("admin"), descriptor.securityRoles);
        assertEquals(new LoginConfigModel("FORM", "R", "/in", "/err"), descriptor.loginConfig);
    }

    @Test
    void keepsWhatLaterFeaturesNeed() throws DeploymentException {
        Descriptor descriptor = webApp("""
                <env-entry><env-entry-name>max</env-entry-name><env-entry-type>java.lang.Integer</env-entry-type>
                  <env-entry-value>5</env-entry-value></env-entry>
                <resource-ref><res-ref-name>jdbc/db</res-ref-name><res-type>javax.sql.DataSource</res-type>
                  <injection-target><injection-target-class>C</injection-target-class>
                  <injection-target-name>ds</injection-target-name></injection-target></resource-ref>
                <post-construct><lifecycle-callback-class>C</lifecycle-callback-class>
                  <lifecycle-callback-method>init</lifecycle-callback-method></post-construct>
                <jsp-config><taglib><taglib-uri>u</taglib-uri><taglib-location>/l</taglib-location></taglib>
                  <jsp-property-group><url-pattern>*.jsp</url-pattern><page-encoding>UTF-8</page-encoding></jsp-property-group>
                </jsp-config>
                """);
        assertEquals(Set.of("env-entry max", "resource-ref jdbc/db"), descriptor.namingEntries.keySet());
        assertEquals(
                "ds",
                List.copyOf(descriptor.namingEntries.values())
                        .get(1)
                        .injectionTargets()
                        .get(0)
                        .member());
        assertEquals("init", descriptor.postConstructMethods.get(0).method());
        assertEquals(Map.of("u", "/l"), descriptor.taglibs);
        assertEquals(
                Map.of("page-encoding", "UTF-8"),
                descriptor.jspPropertyGroups.get(0).properties());
    }

    @Test
    void ignoresWhatItDoesNotKnow() throws DeploymentException {
        Descriptor descriptor =
                webApp("<weather/><servlet><servlet-name>a</servlet-name><servlet-class>A</servlet-class>"
                        + "<colour>red</colour></servlet>");
        assertEquals(Set.of("a"), descriptor.servlets.keySet());
    }

    @Test
    void putsTheMissingSlashBeforePathsOfVersion22() throws DeploymentException {
        Descriptor descriptor = read(
                "<!DOCTYPE web-app PUBLIC \"-//Sun Microsystems, Inc.//DTD Web Application 2.2//EN\" \"x\"><web-app>"
                        + "<servlet-mapping><servlet-name>a</servlet-name><url-pattern>a</url-pattern></servlet-mapping></web-app>");
        assertEquals(Map.of("/a", "a"), descriptor.servletMappings);
    }

    /** What it stands for may be the constraint that protects everything. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            [<!ENTITY s SYSTEM "security.xml">] | &s; | line 2, column 4: refers to the entity "security.xml"
            [<!ENTITY s PUBLIC "-//x" "security.xml">] | &s; | refers to the entity "security.xml"
            [<!ENTITY s SYSTEM "security.xml"><!ENTITY t "&s;">] | &t; | refers to the entity "security.xml"
            [<!ENTITY % p SYSTEM "more.dtd"> %p;] | `` | line 1, column
            SYSTEM "web.dtd" | &s; | line 2, column 4: the entity "s" is not defined in this file
            `` | &s; | not well-formed XML
            """)
    void refusesWhatIsInAnotherFile(String doctype, String content, String expected) {
        DeploymentException refusal = assertThrows(
                DeploymentException.class,
                () -> read("<!DOCTYPE web-app " + doctype + "><web-app>\n" + content + "</web-app>"));
        assertTrue(refusal.getMessage().contains(expected), refusal.getMessage());
    }

    @Test
    void readsNoFileThatAnEntityNames(@TempDir Path directory) throws Exception {
        Path secret = Files.writeString(directory.resolve("secret.txt"), "secret");
        DeploymentException refusal = assertThrows(
                DeploymentException.class,
                () -> read("<!DOCTYPE web-app [<!ENTITY s SYSTEM \"" + secret.toUri() + "\">]>"
                        + "<web-app><display-name>a&s;b</display-name></web-app>"));
        assertFalse(refusal.getMessage().contains("secretb"), refusal.getMessage());
    }

    @Test
    void ignoresADtdAndEntitiesThatNothingRefersTo() throws DeploymentException {
        assertEquals(
                "x",
                read("<!DOCTYPE web-app SYSTEM \"web.dtd\" [<!ENTITY s SYSTEM \"security.xml\">]>"
                                + "<web-app><display-name>x</display-name></web-app>")
                        .displayName);
    }

    @Test
    void knowsEntitiesDefinedInTheFile() throws DeploymentException {
        assertEquals(
                "Shop 2",
                read("<!DOCTYPE web-app [<!ENTITY v \"2\">]><web-app><display-name>Shop &v;</display-name></web-app>")
                        .displayName);
    }

    @Test
    @Timeout(20)
    void refusesEntitiesThatMultiply() {
        StringBuilder xml = new StringBuilder("<!DOCTYPE web-app [<!ENTITY e0 \"lol\">");
        for (int i = 1; i < 30; i++) {
            xml.append("<!ENTITY e" + i + " \"&e" + (i - 1) + ";&e" + (i - 1) + ";&e" + (i - 1) + ";\">");
        }
        xml.append("]><web-app><display-name>&e29;</display-name></web-app>");
        assertThrows(DeploymentException.class, () -> read(xml.toString()));
    }

    @Test
    void acceptsWhatTomcatAcceptsWhereNothingIsOpened() throws Exception {
        Descriptor descriptor = webApp("""
                <servlet><servlet-name>a</servlet-name><servlet-class>First</servlet-class></servlet>
                <servlet><servlet-name>a</servlet-name><servlet-class>Last</servlet-class>
                  <init-param><param-name>none</param-name></init-param></servlet>
                <error-page><error-code>404</error-code><exception-type>E</exception-type><location>/x</location></error-page>
                """);
        assertEquals("Last", descriptor.servlet("a").className);
        assertEquals(Map.of(), descriptor.servlet("a").initParameters);
        assertEquals(Set.of("E"), descriptor.errorPages.keySet());
        assertEquals(3, descriptor.notes.size(), descriptor.notes::toString);
    }

    @Test
    void ignoresParametersAndRolesWithoutANameOrValueAsTomcatDoes() throws DeploymentException {
        Descriptor descriptor = webApp("""
                <context-param><param-name>a</param-name></context-param>
                <context-param><param-value>b</param-value></context-param>
                <context-param><param-name>c</param-name><param-value/></context-param>
                <filter><filter-name>f</filter-name><filter-class>F</filter-class>
                  <init-param><param-value>x</param-value></init-param></filter>
                <security-role><role-name/></security-role>
                <session-config><cookie-config><secure>TRUE</secure></cookie-config></session-config>
                """);
        assertEquals(Map.of("c", ""), descriptor.contextParameters);
        assertEquals(Set.of(), descriptor.securityRoles);
        assertEquals(3, descriptor.notes.size(), descriptor.notes::toString);
    }

    @Test
    void refusesAnEmptyDescriptorThatMayHaveHadConstraints() throws DeploymentException {
        for (String name : List.of("WEB-INF/web.xml", "WEB-INF/tomcat-web.xml", "conf/web.xml")) {
            assertThrows(DeploymentException.class, () -> DescriptorReader.read(name, new byte[0]));
            assertThrows(DeploymentException.class, () -> DescriptorReader.read(name, new byte[] {' ', '\n'}));
        }
        DescriptorReader.read("WEB-INF/lib/a.jar!/META-INF/web-fragment.xml", new byte[0]);
    }

    @Test
    void refusesElementsNestedWithoutEnd() {
        assertThrows(DeploymentException.class, () -> webApp("<a>".repeat(100) + "</a>".repeat(100)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            <servlet><servlet-class>A</servlet-class></servlet> | line 2, column 10: <servlet> needs a <servlet-name>
            <servlet><servlet-name>a</servlet-name><servlet-class>A</servlet-class><jsp-file>/a.jsp</jsp-file></servlet> | both
            <servlet><servlet-name>a</servlet-name><load-on-startup>soon</load-on-startup></servlet> | must be a whole number, not "soon"
            <servlet><servlet-name>a</servlet-name><async-supported>maybe</async-supported></servlet> | must be true or false, not "maybe"
            <servlet-mapping><servlet-name>a</servlet-name></servlet-mapping> | needs a <url-pattern>
            <servlet-mapping><servlet-name>a</servlet-name><url-pattern>a</url-pattern></servlet-mapping> | must begin with a slash
            <servlet-mapping><servlet-name>a</servlet-name><url-pattern>/a/*.do</url-pattern></servlet-mapping> | not both
            <servlet-mapping><servlet-name>a</servlet-name><url-pattern>/x</url-pattern></servlet-mapping><servlet-mapping><servlet-name>b</servlet-name><url-pattern>/x</url-pattern></servlet-mapping> | is mapped to the servlets "a" and "b"
            <filter><filter-name>f</filter-name></filter><filter><filter-name>f</filter-name></filter> | duplicate filter "f"
            <filter-mapping><filter-name>f</filter-name></filter-mapping> | needs a <url-pattern> or a <servlet-name>
            <filter-mapping><filter-name>f</filter-name><url-pattern>/*</url-pattern><dispatcher>NOW</dispatcher></filter-mapping> | not "NOW"
            <error-page><error-code>404</error-code><location>404.html</location></error-page> | must begin with a slash
            <session-config><session-timeout>1h</session-timeout></session-config> | must be a whole number
            <session-config><tracking-mode>DNA</tracking-mode></session-config> | must be COOKIE, URL or SSL
            <security-constraint/> | needs a <web-resource-collection>
            <login-config><auth-method>FORM</auth-method></login-config> | needs a <form-login-config>
            <login-config><auth-method>NTLM</auth-method></login-config> | must be BASIC, DIGEST, FORM, CLIENT-CERT or SPNEGO, not "NTLM"
            <security-constraint><web-resource-collection><url-pattern>/*</url-pattern></web-resource-collection><user-data-constraint><transport-guarantee>SAFE</transport-guarantee></user-data-constraint></security-constraint> | must be NONE, INTEGRAL or CONFIDENTIAL, not "SAFE"
            <servlet> | not well-formed XML
            """)
    void refusesWithThePlaceAndWhatWasExpected(String elements, String expected) {
        DeploymentException refusal = assertThrows(DeploymentException.class, () -> webApp(elements));
        assertTrue(refusal.getMessage().startsWith("WEB-INF/web.xml, line "), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(expected), refusal.getMessage());
        assertFalse(refusal.getMessage().contains("\n"), refusal.getMessage());
    }

    /** One that is skipped opens what it was to protect. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            <security-constraints/> | line 2, column 24: <web-app> has no <security-constraints>; did you mean <security-constraint>?
            <Security-Constraint/> | did you mean <security-constraint>?
            <secuirty-constrant/> | did you mean <security-constraint>?
            <login_config/> | did you mean <login-config>?
            <securityrole/> | did you mean <security-role>?
            <filter-maping/> | did you mean <filter-mapping>?
            <deny-uncovered-http-method/> | did you mean <deny-uncovered-http-methods>?
            <auth-constraint/> | <web-app> has no <auth-constraint>; <auth-constraint> restricts access
            <web-resource-colection/> | <web-resource-collection> restricts access
            <servlet><servlet-name>a</servlet-name><run_as/></servlet> | did you mean <run-as>?
            <servlet><servlet-name>a</servlet-name><security-constraint/></servlet> | <servlet> has no <security-constraint>
            <filter><filter-name>f</filter-name><filter-clas>F</filter-clas></filter> | did you mean <filter-class>?
            <filter-mapping><filter-name>f</filter-name><url-pattern>/a</url-pattern><url-patern>/b</url-patern></filter-mapping> | did you mean <url-pattern>?
            <security-constraint><web-resource-collection><url-pattern>/*</url-pattern></web-resource-collection><auth-constaint/></security-constraint> | did you mean <auth-constraint>?
            <security-constraint><web-resource-collection><url-pattern>/a</url-pattern><url-patern>/b</url-patern></web-resource-collection></security-constraint> | did you mean <url-pattern>?
            <security-constraint><web-resource-collection><url-pattern>/a</url-pattern><http-metod>GET</http-metod></web-resource-collection></security-constraint> | did you mean <http-method>?
            <security-constraint><web-resource-collection><url-pattern>/a</url-pattern></web-resource-collection><other/></security-constraint> | has no <other>, only <auth-constraint>, <user-data-constraint>, <web-resource-collection>
            <login-config><auth-metod>BASIC</auth-metod></login-config> | did you mean <auth-method>?
            <security-role><role>a</role></security-role> | <security-role> has no <role>, only <role-name>
            """)
    void refusesAMisspeltElementThatWouldRestrictAccess(String elements, String expected) {
        DeploymentException refusal = assertThrows(DeploymentException.class, () -> webApp(elements));
        assertTrue(refusal.getMessage().startsWith("WEB-INF/web.xml, line 2, column "), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(expected), refusal.getMessage());
    }

    @Test
    void skipsWhatIsUnknownElsewhere() throws DeploymentException {
        Descriptor descriptor = webApp(
                "<vendor-extension><anything/></vendor-extension>"
                        + "<session-config><session-timeout>5</session-timeout><session-timout>6</session-timout></session-config>");
        assertEquals(5, descriptor.session.timeoutMinutes);
        assertEquals(1, descriptor.misspelt.size(), "an extension of a vendor is no mistake");
        String mistake = descriptor.misspelt.get(0);
        assertTrue(mistake.startsWith("WEB-INF/web.xml, line 2, column "), mistake);
        assertTrue(
                mistake.endsWith("<session-config> has no <session-timout>; did you mean <session-timeout>?"), mistake);
    }

    @Test
    void takesALoneAsteriskOfAFilterForAllRequests() throws DeploymentException {
        Descriptor descriptor = webApp(
                "<filter-mapping><filter-name>f</filter-name><url-pattern>*</url-pattern>" + "</filter-mapping>");
        assertEquals("/*", descriptor.filterMappings.get(0).urlPattern());
        assertThrows(
                DeploymentException.class,
                () -> webApp("<servlet-mapping><servlet-name>a</servlet-name><url-pattern>*</url-pattern>"
                        + "</servlet-mapping>"));
    }

    @Test
    void refusesAnotherKindOfFile() {
        DeploymentException refusal = assertThrows(DeploymentException.class, () -> read("<project/>"));
        assertTrue(refusal.getMessage().contains("expected <web-app>"), refusal.getMessage());
    }

    @Test
    void refusesTheJakartaNamespaceInOneSentence() {
        DeploymentException refusal = assertThrows(
                DeploymentException.class,
                () -> read("<web-app xmlns=\"https://jakarta.ee/xml/ns/jakartaee\" version=\"5.0\"/>"));
        assertTrue(refusal.getMessage().contains("jakarta.servlet application"), refusal.getMessage());
    }

    /** They are Tomcat 10's then, whose elements are the same. */
    @Test
    void readsDefaultsOfTheServerInTheJakartaNamespace() throws Exception {
        String xml = "<web-app xmlns=\"https://jakarta.ee/xml/ns/jakartaee\" version=\"6.0\"><welcome-file-list>"
                + "<welcome-file>a.html</welcome-file></welcome-file-list></web-app>";
        assertEquals("6.0", DescriptorReader.read("conf/web.xml", xml.getBytes(StandardCharsets.UTF_8)).version);
    }
}
