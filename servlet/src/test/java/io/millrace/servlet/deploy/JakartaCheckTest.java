package io.millrace.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.deploy.scan.ServiceFile;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.testkit.Sources;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JakartaCheckTest {

    private static final Map<String, byte[]> COMPILED = Sources.compile(
            "package jakarta.servlet.http; public class HttpServlet { }",
            "package jakarta.servlet; public interface ServletContainerInitializer { }",
            "package jakarta.servlet.annotation; public @interface WebServlet { }",
            "package hard; public class Page extends jakarta.servlet.http.HttpServlet { }",
            "package soft; public class User { public Object use(jakarta.servlet.http.HttpServlet s) { return s; } }",
            "package told; public class Names { public String a = \"jakarta/servlet/Servlet\", b = \"jakarta.servlet.Servlet\"; }",
            "package old; public class Page extends javax.servlet.http.HttpServlet { }",
            "package init; public class Init implements jakarta.servlet.ServletContainerInitializer { }",
            "package note; @jakarta.servlet.annotation.WebServlet public class Noted { }");

    @TempDir
    Path directory;

    private void read(Archive war) throws Exception {
        Path file = war.writeTo(directory.resolve("shop.war"));
        DeploymentReader.read(file, directory.resolve("work"), JakartaCheckTest.class.getClassLoader())
                .close();
    }

    private void assertRefused(String evidence, Archive war) {
        DeploymentException refusal = assertThrows(DeploymentException.class, () -> read(war));
        String message = String.valueOf(refusal.getMessage());
        assertTrue(message.contains(evidence), message);
        assertTrue(message.contains("Millrace runs javax.servlet applications (Servlet 4.0 and older)"), message);
        assertTrue(message.contains("Tomcat 10 or later"), message);
        assertEquals(1, message.lines().count());
    }

    private static Map<String, byte[]> classes(String prefix) {
        return Sources.only(prefix, COMPILED);
    }

    private static String servlet(String className) {
        return "<servlet><servlet-name>s</servlet-name><servlet-class>" + className + "</servlet-class></servlet>";
    }

    @Test
    void refusesAServletOfTheApplication() {
        assertRefused("class hard.Page in WEB-INF/classes", new Archive().classes(classes("hard/")));
    }

    @Test
    void refusesAClassThatOnlyUsesTheApi() {
        assertRefused("class soft.User in WEB-INF/classes", new Archive().classes(classes("soft/")));
    }

    @Test
    void refusesTheDescriptorsNamespace() {
        assertRefused(
                "WEB-INF/web.xml, line 1",
                new Archive().with("WEB-INF/web.xml", "<web-app xmlns=\"https://jakarta.ee/xml/ns/jakartaee\"/>"));
    }

    @Test
    void refusesADeclaredServletOfAJar() {
        assertRefused(
                "class hard.Page, a servlet",
                new Archive()
                        .classes(classes("old/"))
                        .library("a.jar", new Archive().with("", classes("hard/")))
                        .webXml(servlet("hard.Page")));
    }

    @Test
    void refusesAnInitializerOfAJar() {
        assertRefused(
                "class init.Init in WEB-INF/lib/a.jar",
                new Archive()
                        .library(
                                "a.jar",
                                new Archive()
                                        .with("", classes("init/"))
                                        .with(ServiceFile.JAKARTA_INITIALIZERS, "init.Init")));
    }

    @Test
    void refusesAnAnnotatedServletOfAJar() {
        assertRefused(
                "class note.Noted is annotated with jakarta.servlet.annotation.WebServlet",
                new Archive().library("a.jar", new Archive().with("", classes("note/"))));
    }

    @Test
    void acceptsALibraryThatSupportsBoth() throws Exception {
        Archive both = new Archive()
                .with("", classes("hard/"))
                .with("", classes("init/"))
                .with("", classes("old/"))
                .with(ServiceFile.JAKARTA_INITIALIZERS, "init.Init");
        read(new Archive().library("a.jar", both).webXml(servlet("old.Page")));
    }

    @Test
    void acceptsClassesThatOnlyNameTheApiInText() throws Exception {
        read(new Archive().classes(classes("told/")));
    }

    @Test
    void acceptsAnUnpackedLibraryThatSupportsBoth() throws Exception {
        read(new Archive().classes(classes("old/")).classes(classes("soft/")).webXml(servlet("old.Page")));
    }
}
