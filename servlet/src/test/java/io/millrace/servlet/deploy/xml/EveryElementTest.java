package io.millrace.servlet.deploy.xml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.ErrorPageModel;
import io.millrace.servlet.model.FilterMappingModel;
import io.millrace.servlet.model.JspPropertyGroupModel;
import io.millrace.servlet.model.LifecycleMethodModel;
import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.servlet.model.MultipartModel;
import io.millrace.servlet.model.NamingEntryModel;
import io.millrace.servlet.model.SecurityConstraintModel;
import io.millrace.servlet.model.SecurityConstraintModel.Resources;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.servlet.DispatcherType;
import javax.servlet.SessionTrackingMode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A web.xml with every element that the schema of Servlet 3.1 has … */
final class EveryElementTest {

    /** Below web-app, in web-app_3_1.xsd and what it includes. */
    private static final Set<String> SCHEMA = Set.of("""
            module-name description display-name icon distributable context-param filter filter-mapping listener servlet \
            servlet-mapping session-config mime-mapping welcome-file-list error-page jsp-config security-constraint \
            login-config security-role env-entry ejb-ref ejb-local-ref service-ref resource-ref resource-env-ref \
            message-destination-ref persistence-context-ref persistence-unit-ref post-construct pre-destroy data-source \
            jms-connection-factory jms-destination mail-session connection-factory administered-object \
            message-destination locale-encoding-mapping-list deny-uncovered-http-methods absolute-ordering""".split(" "));

    /** Held, since its level would be forgotten otherwise. */
    private static final Logger LOG = Logger.getLogger("io.millrace.servlet.deploy");

    private final List<String> logged = new ArrayList<>();
    private byte[] xml = {};
    private Descriptor read = new Descriptor("");

    @BeforeEach
    void read() throws IOException, DeploymentException {
        try (InputStream in = Objects.requireNonNull(EveryElementTest.class.getResourceAsStream("every-element.xml"))) {
            xml = in.readAllBytes();
        }
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord message) {
                logged.add(String.valueOf(message.getMessage()));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        handler.setLevel(Level.ALL);
        LOG.addHandler(handler);
        LOG.setLevel(Level.ALL);
        try {
            read = DescriptorReader.read("web.xml", xml);
        } finally {
            LOG.setLevel(null);
            LOG.removeHandler(handler);
        }
    }

    @Test
    void isTheFileOfThisTest() throws DeploymentException {
        Set<String> names = new TreeSet<>();
        XmlTree.parse("web.xml", xml, new ArrayList<>()).root().children().forEach(child -> names.add(child.name()));
        assertEquals(new TreeSet<>(SCHEMA), names);
    }

    @Test
    void isReadWithoutAnUnknownElement() {
        assertTrue(logged.stream().noneMatch(line -> line.contains("unknown element")), logged::toString);
    }

    @Test
    void costsAWarningForWhatOnlyAFullServerHas() {
        for (String name : List.of(
                "data-source",
                "jms-connection-factory",
                "jms-destination",
                "mail-session",
                "connection-factory",
                "administered-object")) {
            assertEquals(
                    1,
                    logged.stream()
                            .filter(line -> line.contains("MILLRACE4104: <" + name + "> at web.xml, line ")
                                    && line.contains("META-INF/context.xml"))
                            .count(),
                    name);
        }
    }

    @Test
    void tellsOfServletsAndFilters() {
        ServletDeclaration cart = read.servlet("cart");
        assertEquals("shop.Cart", cart.className);
        assertEquals(Map.of("p", "v"), cart.initParameters);
        assertEquals(1, cart.loadOnStartup);
        assertEquals(true, cart.enabled);
        assertEquals(true, cart.asyncSupported);
        assertEquals("robot", cart.runAs);
        assertEquals(Map.of("boss", "admin"), cart.roleReferences);
        assertEquals(new MultipartModel("parts", 1, 2, 3), cart.multipart);
        assertEquals("/page.jsp", read.servlet("page").jspFile);
        assertEquals(Map.of("/cart", "cart", "*.cart", "cart"), read.servletMappings);
        assertEquals("shop.Log", read.filter("log").className);
        assertEquals(true, read.filter("log").asyncSupported);
        assertEquals(Map.of("p", "v"), read.filter("log").initParameters);
        assertEquals(
                List.of(new FilterMappingModel("log", null, "cart", EnumSet.allOf(DispatcherType.class))),
                read.filterMappings);
        assertEquals(Set.of("shop.Start"), read.listeners);
    }

    @Test
    void tellsOfSessionsPagesAndSettings() {
        assertEquals(5, read.session.timeoutMinutes);
        assertEquals("SID", read.session.cookieName);
        assertEquals("shop.example", read.session.cookieDomain);
        assertEquals("/p", read.session.cookiePath);
        assertEquals("c", read.session.cookieComment);
        assertEquals(true, read.session.cookieHttpOnly);
        assertEquals(true, read.session.cookieSecure);
        assertEquals(60, read.session.cookieMaxAge);
        assertEquals(Set.of(SessionTrackingMode.COOKIE), read.session.trackingModes);
        assertEquals("Shop", read.displayName);
        assertTrue(read.distributable);
        assertEquals(Map.of("a", "1"), read.contextParameters);
        assertEquals(Map.of("abc", "text/abc"), read.mimeTypes);
        assertEquals(Set.of("home.html"), read.welcomeFiles);
        assertEquals(
                List.of(new ErrorPageModel(404, null, "/404"), new ErrorPageModel(0, "java.io.IOException", "/io")),
                List.copyOf(read.errorPages.values()));
        assertEquals(Map.of("ja", "Shift_JIS"), read.localeEncodings);
        assertEquals(List.of("one", FragmentOrder.OTHERS), read.absoluteOrdering);
    }

    @Test
    void tellsOfJspPages() {
        assertEquals(Map.of("u", "/t.tld"), read.taglibs);
        assertEquals(
                List.of(new JspPropertyGroupModel(
                        List.of("*.jspf"),
                        Map.of(
                                "el-ignored", "true",
                                "page-encoding", "UTF-8",
                                "scripting-invalid", "true",
                                "is-xml", "false",
                                "deferred-syntax-allowed-as-literal", "true",
                                "trim-directive-whitespaces", "true",
                                "default-content-type", "text/plain",
                                "buffer", "1kb",
                                "error-on-undeclared-namespace", "true"),
                        List.of("/before"),
                        List.of("/after"))),
                read.jspPropertyGroups);
    }

    @Test
    void tellsOfSecurity() {
        assertEquals(
                List.of(new SecurityConstraintModel(
                        List.of(
                                new Resources(List.of("/admin/*"), List.of("GET"), List.of()),
                                new Resources(List.of("/other"), List.of(), List.of("PUT"))),
                        List.of("admin"),
                        true)),
                read.securityConstraints);
        assertEquals(new LoginConfigModel("FORM", "R", "/in", "/no"), read.loginConfig);
        assertEquals(Set.of("admin"), read.securityRoles);
        assertTrue(read.denyUncoveredHttpMethods);
    }

    @Test
    void tellsOfNamesAndLifeCycles() {
        assertEquals(
                List.of(
                        "env-entry env java.lang.Integer 5 null",
                        "ejb-ref ejb/a R null link",
                        "ejb-local-ref ejb/b L null null",
                        "service-ref service/a null null null",
                        "resource-ref jdbc/a javax.sql.DataSource null null",
                        "resource-env-ref jms/queue javax.jms.Queue null java:x",
                        "message-destination-ref jms/out javax.jms.Topic null out",
                        "persistence-context-ref jpa/c null null unit",
                        "persistence-unit-ref jpa/u null null null"),
                read.namingEntries.values().stream().map(EveryElementTest::text).toList());
        assertEquals(
                "db",
                Objects.requireNonNull(read.namingEntries.get("resource-ref jdbc/a"))
                        .injectionTargets()
                        .get(0)
                        .member());
        assertEquals(List.of(new LifecycleMethodModel("shop.Cart", "open")), read.postConstructMethods);
        assertEquals(List.of(new LifecycleMethodModel("shop.Cart", "shut")), read.preDestroyMethods);
    }

    private static String text(NamingEntryModel entry) {
        return entry.kind().element()
                + ' '
                + entry.name()
                + ' '
                + entry.type()
                + ' '
                + entry.value()
                + ' '
                + entry.lookup();
    }
}
