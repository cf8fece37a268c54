package io.millrace.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.deploy.scan.ServiceFile;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.FilterMappingModel;
import io.millrace.servlet.model.MultipartModel;
import io.millrace.servlet.model.SecurityConstraintModel;
import io.millrace.servlet.model.ServletModel;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.testkit.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.servlet.DispatcherType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeploymentReaderTest {

    private static final String IMPORTS =
            "import javax.servlet.*; import javax.servlet.http.*; import javax.servlet.annotation.*; ";

    private static final Map<String, byte[]> ANNOTATED = Sources.compile(
            "package shop; " + IMPORTS
                    + "@WebServlet(name = \"cart\", urlPatterns = {\"/cart\", \"*.cart\"}, loadOnStartup = 2, asyncSupported = true,"
                    + " initParams = @WebInitParam(name = \"a\", value = \"1\"))"
                    + "@MultipartConfig(location = \"parts\", maxFileSize = 10) public class Cart extends HttpServlet { }",
            "package shop; " + IMPORTS + "@WebServlet(\"/plain\") public class Plain extends HttpServlet { }",
            "package shop; " + IMPORTS
                    + "@WebFilter(value = \"/*\", servletNames = \"cart\", dispatcherTypes = {DispatcherType.ERROR})"
                    + " public class Log extends HttpFilter { }",
            "package shop; " + IMPORTS + "@WebListener public class Start implements ServletContextListener { }");

    @TempDir
    Path directory;

    private Deployment read(Archive war) throws Exception {
        return read(war.writeTo(directory.resolve("shop.war")));
    }

    private Deployment read(Path war) throws Exception {
        return DeploymentReader.read(war, directory.resolve("work"), DeploymentReaderTest.class.getClassLoader());
    }

    private WebAppModel model(Archive war) throws Exception {
        try (Deployment deployment = read(war)) {
            return deployment.model();
        }
    }

    private String refusal(Archive war) {
        DeploymentException refusal = assertThrows(DeploymentException.class, () -> read(war));
        String message = String.valueOf(refusal.getMessage());
        assertTrue(message.startsWith(directory.resolve("shop.war") + ": "), message);
        return message;
    }

    private static String servletXml(String name, String className, String rest) {
        return "<servlet><servlet-name>" + name + "</servlet-name><servlet-class>" + className + "</servlet-class>"
                + rest + "</servlet>";
    }

    private static String mappingXml(String name, String pattern) {
        return "<servlet-mapping><servlet-name>" + name + "</servlet-name><url-pattern>" + pattern
                + "</url-pattern></servlet-mapping>";
    }

    @Test
    void readsAnApplicationWithoutADescriptor() throws Exception {
        WebAppModel model = model(new Archive().classes(ANNOTATED));
        ServletModel cart = model.servlet("cart");
        assertEquals("shop.Cart", cart.className);
        assertEquals(List.of("/cart", "*.cart"), cart.mappings);
        assertEquals(2, cart.loadOnStartup);
        assertTrue(cart.asyncSupported);
        assertEquals(Map.of("a", "1"), cart.initParameters);
        assertEquals(new MultipartModel("parts", 10, -1, 0), cart.multipart);
        assertEquals(List.of("/plain"), model.servlet("shop.Plain").mappings);
        assertEquals(List.of("shop.Start"), model.listeners);
        Set<DispatcherType> error = EnumSet.of(DispatcherType.ERROR);
        assertEquals(
                List.of(
                        new FilterMappingModel("shop.Log", "/*", null, error),
                        new FilterMappingModel("shop.Log", null, "cart", error)),
                model.filterMappings);
    }

    @Test
    void letsWebXmlOverrideAnnotations() throws Exception {
        WebAppModel model = model(new Archive()
                .classes(ANNOTATED)
                .webXml(servletXml(
                                "cart",
                                "shop.Cart",
                                "<init-param><param-name>a</param-name><param-value>2</param-value></init-param>"
                                        + "<load-on-startup>7</load-on-startup>")
                        + mappingXml("cart", "/basket")));
        ServletModel cart = model.servlet("cart");
        assertEquals(List.of("/basket"), cart.mappings);
        assertEquals(Map.of("a", "2"), cart.initParameters);
        assertEquals(7, cart.loadOnStartup);
        assertTrue(cart.asyncSupported);
    }

    @Test
    void ignoresAnnotationsAndFragmentsIfTheDescriptorIsComplete() throws Exception {
        WebAppModel model = model(new Archive()
                .classes(ANNOTATED)
                .library("a.jar", Archive.fragment("<listener><listener-class>L</listener-class></listener>"))
                .with("WEB-INF/web.xml", "<web-app version=\"3.1\" metadata-complete=\"true\"/>"));
        assertTrue(model.servlets.isEmpty());
        assertTrue(model.listeners.isEmpty());
        assertTrue(model.metadataComplete);
    }

    @Test
    void readsAnnotationsOfJarsUnderTheirFragments() throws Exception {
        WebAppModel model = model(new Archive()
                .library(
                        "a.jar",
                        Archive.fragment("<name>a</name>" + mappingXml("cart", "/fragment"))
                                .with("", ANNOTATED)));
        assertEquals(List.of("/fragment"), model.servlet("cart").mappings);
        assertEquals("shop.Cart", model.servlet("cart").className);
    }

    @Test
    void leavesOutTheJarsThatAnAbsoluteOrderDoesNotName() throws Exception {
        WebAppModel model = model(new Archive()
                .library("a.jar", Archive.fragment("<name>a</name>").with("", ANNOTATED))
                .library(
                        "b.jar",
                        Archive.fragment("<name>b</name><listener><listener-class>B</listener-class></listener>"))
                .webXml("<absolute-ordering><name>b</name></absolute-ordering>"));
        assertEquals(List.of("B"), model.listeners);
        assertTrue(model.servlets.isEmpty());
    }

    @Test
    void callsListenersInTheOrderOfTheFragments() throws Exception {
        String listener = "<listener><listener-class>%s</listener-class></listener>";
        WebAppModel model = model(new Archive()
                .library(
                        "1.jar",
                        Archive.fragment("<name>one</name><ordering><after><others/></after></ordering>"
                                + listener.formatted("One")))
                .library("2.jar", Archive.fragment("<name>two</name>" + listener.formatted("Two")))
                .library(
                        "3.jar",
                        Archive.fragment("<name>three</name><ordering><before><name>two</name></before></ordering>"
                                + listener.formatted("Three")))
                .webXml(listener.formatted("Main")));
        assertEquals(List.of("Main", "Three", "Two", "One"), model.listeners);
    }

    @Test
    void hasDefaultsForWelcomeFilesAndTypes() throws Exception {
        WebAppModel model = model(new Archive()
                .webXml("<mime-mapping><extension>html</extension><mime-type>text/x-own</mime-type></mime-mapping>"));
        assertEquals(List.of("index.html", "index.htm", "index.jsp"), model.welcomeFiles);
        assertEquals("text/x-own", model.mimeTypes.get("html"));
        assertEquals("text/css", model.mimeTypes.get("css"));
    }

    @Test
    void turnsServletSecurityIntoConstraints() throws Exception {
        Map<String, byte[]> classes = Sources.compile(
                "package shop; " + IMPORTS
                        + "@ServletSecurity(value = @HttpConstraint(rolesAllowed = \"admin\", transportGuarantee = ServletSecurity.TransportGuarantee.CONFIDENTIAL),"
                        + " httpMethodConstraints = @HttpMethodConstraint(value = \"TRACE\", emptyRoleSemantic = ServletSecurity.EmptyRoleSemantic.DENY))"
                        + " public class Base extends HttpServlet { }",
                "package shop; " + IMPORTS + "public class Admin extends Base { }");
        WebAppModel model = model(new Archive()
                .classes(classes)
                .webXml(servletXml("a", "shop.Admin", "") + mappingXml("a", "/a") + mappingXml("a", "/open")
                        + "<security-constraint><web-resource-collection><url-pattern>/open</url-pattern>"
                        + "</web-resource-collection></security-constraint>"));
        List<SecurityConstraintModel> added = model.securityConstraints.subList(1, model.securityConstraints.size());
        assertEquals(2, added.size());
        assertEquals(List.of("/a"), added.get(0).resources().get(0).urlPatterns());
        assertEquals(List.of("TRACE"), added.get(0).resources().get(0).methods());
        assertEquals(List.of(), added.get(0).roles());
        assertEquals(List.of("TRACE"), added.get(1).resources().get(0).omittedMethods());
        assertEquals(List.of("admin"), added.get(1).roles());
        assertTrue(added.get(1).transportGuarantee());
    }

    @Test
    void takesRolesFromAnnotations() throws Exception {
        WebAppModel model = model(new Archive()
                .classes(Sources.compile("package shop; " + IMPORTS
                        + "@javax.annotation.security.RunAs(\"robot\")"
                        + " @javax.annotation.security.DeclareRoles({\"clerk\", \"robot\"})"
                        + " @WebServlet(\"/cart\") public class Cart extends HttpServlet { }")));
        assertEquals("robot", model.servlet("shop.Cart").runAs);
        assertEquals(List.of("clerk", "robot"), List.copyOf(model.securityRoles));
    }

    private static Archive initializer(String handles) {
        Map<String, byte[]> classes = Sources.compile(
                "package lib; public interface Plugin { }",
                "package lib; public @interface Marker { }",
                "package gone; public interface Gone { }",
                "package lib; " + IMPORTS + handles + " public class Init implements ServletContainerInitializer {"
                        + " public void onStartup(java.util.Set<Class<?>> types, ServletContext context) { } }");
        return new Archive()
                .with("", Sources.only("lib/", classes))
                .with("META-INF/services/javax.servlet.ServletContainerInitializer", "# one\nlib.Init # it\n");
    }

    private static final Map<String, byte[]> PLUGINS = Sources.only(
            "shop/",
            Sources.compile(
                    "package lib; public interface Plugin { }",
                    "package lib; public @interface Marker { }",
                    "package gone; public interface Gone { }",
                    "package shop; public interface Better extends lib.Plugin { }",
                    "package shop; public class One implements Better { }",
                    "package shop; public class Two extends One { }",
                    "package shop; public class Broken implements lib.Plugin, gone.Gone { }",
                    "package shop; public class Marked { @lib.Marker int field; }",
                    "package shop; public class Servlet1 extends javax.servlet.http.HttpServlet { }",
                    "package shop; public class Nothing { }"));

    private Set<String> typesFor(String handles, String metadata) throws Exception {
        Archive war = new Archive()
                .classes(PLUGINS)
                .library("lib.jar", initializer(handles))
                .with("WEB-INF/web.xml", "<web-app version=\"3.1\"" + metadata + "/>");
        try (Deployment deployment = read(war)) {
            assertEquals(1, deployment.initializers().size());
            Set<Class<?>> types = deployment.initializers().get(0).types();
            Set<String> names = new TreeSet<>();
            for (Class<?> type : types == null ? Set.<Class<?>>of() : types) {
                names.add(type.getName());
            }
            assertEquals(names.isEmpty(), types == null);
            return names;
        }
    }

    @Test
    void passesHandledTypesToInitializers() throws Exception {
        assertEquals(Set.of("shop.Better", "shop.One", "shop.Two"), typesFor("@HandlesTypes(lib.Plugin.class)", ""));
    }

    @Test
    void tellsInitializersOfTypesEvenIfTheDescriptorIsComplete() throws Exception {
        assertEquals(
                Set.of("shop.Better", "shop.One", "shop.Two"),
                typesFor("@HandlesTypes(lib.Plugin.class)", " metadata-complete=\"true\""));
    }

    @Test
    void findsTypesThroughTheContainersClasses() throws Exception {
        assertEquals(Set.of("shop.Servlet1"), typesFor("@HandlesTypes(javax.servlet.Servlet.class)", ""));
    }

    @Test
    void findsAnnotationsOnMembers() throws Exception {
        assertEquals(Set.of("shop.Marked"), typesFor("@HandlesTypes(lib.Marker.class)", ""));
    }

    @Test
    void tellsOfOtherTypesIfOneIsMissing() throws Exception {
        assertEquals(Set.of("shop.Marked"), typesFor("@HandlesTypes({gone.Gone.class, lib.Marker.class})", ""));
    }

    @Test
    void givesNoTypesToAnInitializerThatAsksForNone() throws Exception {
        assertEquals(Set.of(), typesFor("", ""));
    }

    @Test
    void saysWhichInitializerCannotBeMade() {
        String message =
                refusal(new Archive().library("a.jar", new Archive().with(ServiceFile.INITIALIZERS, "lib.Missing")));
        assertTrue(message.contains("ServletContainerInitializer lib.Missing cannot be instantiated"), message);
    }

    @Test
    void namesTheJarsThatHaveResources() throws Exception {
        Archive war = new Archive()
                .library(
                        "ui.jar",
                        new Archive().with("META-INF/resources/ui/a.css", "a").with("b.css", "b"))
                .library("none.jar", new Archive().with("x", "y"))
                .webXml("<absolute-ordering/>");
        try (Deployment deployment = read(war)) {
            assertEquals(List.of(deployment.docBase().resolve("WEB-INF/lib/ui.jar")), deployment.resourceJars());
        }
    }

    @Test
    void usesADirectoryInPlace() throws Exception {
        Path exploded = directory.resolve("exploded dir#1");
        Files.createDirectories(exploded.resolve("WEB-INF/classes/shop"));
        for (Map.Entry<String, byte[]> file : ANNOTATED.entrySet()) {
            Files.write(exploded.resolve("WEB-INF/classes").resolve(file.getKey()), file.getValue());
        }
        try (Deployment deployment = read(exploded)) {
            assertEquals(exploded, deployment.docBase());
            assertEquals("shop.Cart", deployment.loader().loadClass("shop.Cart").getName());
        }
    }

    @Test
    void givesAnApplicationADirectoryForTemporaryFiles() throws Exception {
        try (Deployment deployment = read(new Archive().with("index.html", ""))) {
            assertTrue(Files.isDirectory(deployment.temporaryDirectory()));
        }
    }

    @Test
    void scansManyJars() throws Exception {
        Archive war = new Archive();
        for (int i = 0; i < 168; i++) {
            war.library("empty" + i + ".jar", new Archive().with("x", "y"));
        }
        war.library("last.jar", new Archive().with("", ANNOTATED));
        try (Deployment deployment = read(war)) {
            assertEquals(169, deployment.times().jars());
            assertEquals(169, deployment.times().scanned());
            assertEquals(0, deployment.times().cached());
            assertEquals("shop.Cart", deployment.model().servlet("cart").className);
        }
    }

    /** It may have had filters and constraints. */
    @ParameterizedTest
    @ValueSource(strings = {"", "no jar"})
    void refusesAJarThatCannotBeRead(String content) {
        Archive war = new Archive().classes(ANNOTATED).with("WEB-INF/lib/broken.jar", content);
        String refusal = refusal(war);
        assertTrue(refusal.contains("WEB-INF/lib/broken.jar is not a JAR that can be read"), refusal);
    }

    @Test
    void readsTheAnnotationsOfTheVersionOfAClassThatIsLoaded() throws Exception {
        Map<String, byte[]> base = Sources.compile(
                "package lib; " + IMPORTS + "@WebServlet(\"/base\") public class Versioned extends HttpServlet { }");
        Map<String, byte[]> version = Sources.compile("package lib; " + IMPORTS
                + "@WebServlet(\"/version\") @ServletSecurity(@HttpConstraint(rolesAllowed = \"r\"))"
                + " public class Versioned extends HttpServlet { }");
        Archive jar = new Archive()
                .with("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nMulti-Release: true\n\n")
                .with("", base)
                .with("META-INF/versions/9/", version);
        Archive war = new Archive().library("versioned.jar", jar);
        assertEquals(List.of("/version"), model(war).servlet("lib.Versioned").mappings);
        assertEquals(1, model(war).securityConstraints.size());
        Archive single =
                new Archive().library("single.jar", new Archive().with("", base).with("META-INF/versions/9/", version));
        assertEquals(List.of("/base"), model(single).servlet("lib.Versioned").mappings);
    }

    @Test
    void goesOnWithoutAClassThatCannotBeRead() throws Exception {
        Archive war = new Archive().classes(ANNOTATED).with("WEB-INF/classes/shop/Odd.class", "/servlet/annotation/");
        assertEquals("shop.Cart", model(war).servlet("cart").className);
    }

    @Test
    void letsWebXmlMapTheServletsEveryContainerHas() throws Exception {
        WebAppModel model = model(new Archive().webXml(mappingXml("default", "/static/*")));
        assertEquals(List.of("/static/*"), model.servlet("default").mappings);
        assertNull(model.servlet("default").className);
    }

    @Test
    void refusesAMappingOfNothing() {
        String message = refusal(new Archive().webXml(mappingXml("ghost", "/x")));
        assertTrue(message.contains("the servlet \"ghost\", which is not declared"), message);
    }

    @Test
    void saysThatAFileIsMissing() {
        DeploymentException refusal =
                assertThrows(DeploymentException.class, () -> read(directory.resolve("nowhere.war")));
        assertTrue(
                refusal.getMessage().endsWith("nowhere.war: there is no such file or directory"), refusal.getMessage());
    }

    @Test
    void closesTheJarsIfItFails() throws IOException {
        refusal(new Archive()
                .library("a.jar", new Archive().with("", ANNOTATED))
                .webXml("<servlet/>"));
        if (Files.isDirectory(Path.of("/proc/self/fd"))) {
            assertEquals(List.of(), OpenFiles.endingWith("WEB-INF/lib/a.jar"));
        }
    }
}
