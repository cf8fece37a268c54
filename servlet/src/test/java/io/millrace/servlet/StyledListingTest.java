package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A listing made by a stylesheet, by the init parameters of Tomcat's default servlet: it … */
class StyledListingTest {

    private static final String BEGIN =
            "<xsl:stylesheet xmlns:xsl='http://www.w3.org/1999/XSL/Transform' version='1.0'%s><xsl:output method='html'/>";

    @TempDir
    Path directory;

    private @Nullable Deployed running;

    private final @Nullable String baseBefore = System.getProperty("catalina.base");

    @AfterEach
    void stop() {
        if (running != null) {
            running.close();
        }
        if (baseBefore == null) {
            System.clearProperty("catalina.base");
        } else {
            System.setProperty("catalina.base", baseBefore);
        }
    }

    private static String sheet(String title) {
        return BEGIN.formatted("") + "<xsl:template match='listing'><h1>" + title
                + " <xsl:value-of select='@contextPath'/>|"
                + "<xsl:value-of select='@directory'/>|<xsl:value-of select='@hasParent'/></h1>"
                + "<xsl:apply-templates select='entries/entry'/><i><xsl:value-of select='readme'/></i></xsl:template>"
                + "<xsl:template match='entry'><a href='{@urlPath}'>"
                + "<xsl:value-of select='.'/></a>,<xsl:value-of select='@type'/>,<xsl:value-of select='@size'/>;</xsl:template>"
                + "</xsl:stylesheet>";
    }

    private Path write(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        return Files.writeString(file, text);
    }

    private HttpResponse<String> listing(String... parameters) throws Exception {
        StringBuilder xml = new StringBuilder("<web-app version=\"3.1\"><servlet><servlet-name>default</servlet-name>"
                + "<servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class><init-param>"
                + "<param-name>listings</param-name><param-value>true</param-value></init-param>");
        for (int i = 0; i < parameters.length; i += 2) {
            xml.append("<init-param><param-name>" + parameters[i] + "</param-name><param-value>" + parameters[i + 1]
                    + "</param-value></init-param>");
        }
        write("app/WEB-INF/web.xml", xml + "</servlet></web-app>");
        write("app/dir/a & b.txt", "x".repeat(2000));
        Files.createDirectories(directory.resolve("app/dir/sub"));
        running = Deployed.of(WebApplication.war(directory.resolve("app")).contextPath("/app"));
        return running.get("/app/dir/");
    }

    @Test
    void isWhatTheStylesheetOfTheDirectoryMakesOfIt() throws Exception {
        write("app/dir/list.xslt", sheet("local"));
        write("app/WEB-INF/list.xslt", sheet("context"));
        write("app/dir/readme.html", "<b>");
        HttpResponse<String> answer = listing(
                "localXsltFile", "list.xslt", "contextXsltFile", "/WEB-INF/list.xslt", "readmeFile", "readme.html");
        assertEquals(
                "<h1>local /app|/dir/|true</h1><a href=\"/app/dir/a%20&amp;%20b.txt\">a &amp; b.txt</a>,file,2.0 KiB;"
                        + "<a href=\"/app/dir/readme.html\">readme.html</a>,file,0.1 KiB;"
                        + "<a href=\"/app/dir/sub/\">sub/</a>,dir,;<i>&lt;b&gt;</i>",
                answer.body().strip());
        assertTrue(answer.headers().firstValue("Content-Type").orElse("").startsWith("text/html"));
    }

    @Test
    void followsAStylesheetThatChanges() throws Exception {
        Path sheet = write("app/WEB-INF/list.xslt", sheet("first"));
        assertTrue(listing("contextXsltFile", "/WEB-INF/list.xslt", "localXsltFile", "none.xslt")
                .body()
                .contains("first"));
        Files.writeString(sheet, sheet("a second one"));
        assertTrue(Objects.requireNonNull(running).get("/app/dir/").body().contains("a second one"));
    }

    @Test
    void takesTheStylesheetOfTheServerIfThereIsNoOther() throws Exception {
        System.setProperty("catalina.base", directory.toString());
        write("conf/list.xslt", sheet("global"));
        HttpResponse<String> answer = listing("globalXsltFile", "list.xslt", "contextXsltFile", "/none.xslt");
        assertTrue(answer.body().contains("<h1>global"), answer.body());
    }

    @Test
    void isTheUsualOneWithoutAStylesheet() throws Exception {
        assertTrue(listing("localXsltFile", "none.xslt").body().contains("<a href=\"./sub/\">"));
    }

    /** It would be read with the server's rights. */
    @ParameterizedTest
    @ValueSource(strings = {"../list.xslt", "/etc/passwd", "list.xml", "../conf-of-another/list.xsl"})
    void isRefusedWithAStylesheetOfTheServerFromElsewhere(String name) throws Exception {
        System.setProperty("catalina.base", directory.toString());
        write("list.xslt", sheet("outside"));
        assertEquals(500, listing("globalXsltFile", name).statusCode());
    }

    /** Nothing runs, and nothing else is read or written. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<xsl:template match='/'><xsl:value-of select='rt:toString(rt:getRuntime())'/></xsl:template>",
                "<xsl:template match='/'><xsl:value-of select=\"system:getProperty('user.home')\"/></xsl:template>",
                "<xsl:template match='/'><xsl:copy-of select=\"document('SECRET')\"/></xsl:template>",
                "<xsl:template match='/'>see<xsl:copy-of select=\"document('WEB-INF/web.xml')\"/></xsl:template>",
                "<xsl:include href='SECRET'/>",
                "<xsl:import href='SECRET'/>",
                "<xsl:template match='/'>",
                "<xsl:template match='/'><redirect:write file='WRITTEN'>x</redirect:write></xsl:template>"
            })
    void failsWithAStylesheetThatReachesOut(String template) throws Exception {
        Path secret = write("secret.xml", "<secret>silver</secret>");
        Path written = directory.resolve("written.txt");
        write(
                "app/WEB-INF/list.xslt",
                BEGIN.formatted(" xmlns:rt='http://xml.apache.org/xalan/java/java.lang.Runtime'"
                                + " xmlns:system='http://xml.apache.org/xalan/java/java.lang.System'"
                                + " xmlns:redirect='http://xml.apache.org/xalan/redirect'"
                                + " extension-element-prefixes='redirect'")
                        + template.replace("SECRET", secret.toUri().toString()).replace("WRITTEN", written.toString())
                        + "</xsl:stylesheet>");
        HttpResponse<String> answer = listing("contextXsltFile", "/WEB-INF/list.xslt");
        assertEquals(500, answer.statusCode(), answer.body());
        assertFalse(answer.body().contains("silver") || answer.body().contains("<web-app"), answer.body());
        assertFalse(Files.exists(written));
    }

    @Test
    void failsWithAStylesheetThatHasEntitiesOfOtherFiles() throws Exception {
        Path secret = write("secret.txt", "silver");
        write("app/WEB-INF/list.xslt", "<!DOCTYPE x [<!ENTITY e SYSTEM '" + secret.toUri() + "'>]>" + sheet("&e;"));
        HttpResponse<String> answer = listing("contextXsltFile", "/WEB-INF/list.xslt");
        assertEquals(500, answer.statusCode(), answer.body());
        assertFalse(answer.body().contains("silver"), answer.body());
    }
}
