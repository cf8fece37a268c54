package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.probe.Greeting;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PreResources, JarResources and PostResources … */
final class ExtraResourcesIT {

    private static final String SETS = "org.apache.catalina.webresources.";

    @TempDir
    private Path base = Path.of("");

    @BeforeEach
    void makeBase() throws IOException {
        file("conf/server.xml", """
                <Server port="-1"><Service>
                  <Connector port="0" address="127.0.0.1"/>
                  <Engine name="Catalina" defaultHost="localhost"><Host name="localhost"/></Engine>
                </Service></Server>
                """);
        file("webapps/shop/page.txt", "own page");
        file("webapps/shop/see.jsp", """
                <%@ page import="java.util.*" %>
                real <%= application.getRealPath("/media/logo.txt") %>
                paths <%= new TreeSet<>(application.getResourcePaths("/media")) %>
                config <%= new Scanner(getClass().getClassLoader().getResourceAsStream("shop.properties")).nextLine() %>
                class <%= Class.forName("%s", false, getClass().getClassLoader()).getSimpleName() %>
                """.replace("%s", Greeting.class.getName()));
        file("elsewhere/media/logo.txt", "logo");
        file("elsewhere/media/WEB-INF/secret.txt", "secret");
        file("elsewhere/page.txt", "other page");
        file("elsewhere/web.xml", """
                <web-app version="4.0" xmlns="http://xmlns.jcp.org/xml/ns/javaee">
                  <security-constraint>
                    <web-resource-collection><web-resource-name>x</web-resource-name><url-pattern>/closed/*</url-pattern>
                    </web-resource-collection><auth-constraint/>
                  </security-constraint>
                </web-app>
                """);
        file("elsewhere/shop.properties", "from=elsewhere");
        Files.createSymbolicLink(base.resolve("elsewhere/media/link.txt"), base.resolve("conf/server.xml"));
        String name = Greeting.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(base.resolve("elsewhere/greeting.jar")));
                InputStream in =
                        Objects.requireNonNull(Greeting.class.getClassLoader().getResourceAsStream(name))) {
            jar.putNextEntry(new JarEntry(name));
            in.transferTo(jar);
            jar.putNextEntry(new JarEntry("META-INF/web/script.js"));
            jar.write("script".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
    }

    private void file(String name, String content) throws IOException {
        Path file = base.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private void context(String links, String... sets) throws IOException {
        StringBuilder all = new StringBuilder("<Context><Resources allowLinking='" + links + "'>\n");
        for (String set : sets) {
            all.append('<')
                    .append(set.replace("=\"Dir", "=\"" + SETS + "Dir")
                            .replace("=\"File", "=\"" + SETS + "File")
                            .replace("=\"Jar", "=\"" + SETS + "Jar"))
                    .append("/>\n");
        }
        file("webapps/shop/META-INF/context.xml", all + "</Resources></Context>");
    }

    @Test
    void bringFilesClassesAndConstraints() throws Exception {
        context(
                "false",
                "PreResources className=\"FileResourceSet\" base=\"elsewhere/page.txt\" webAppMount=\"/page.txt\"",
                "PreResources className=\"FileResourceSet\" base=\"elsewhere/web.xml\" webAppMount=\"/WEB-INF/web.xml\"",
                "PostResources className=\"DirResourceSet\" base=\"${catalina.base}/elsewhere\" internalPath=\"/media\""
                        + " webAppMount=\"/media\" readOnly=\"true\"",
                "PostResources className=\"FileResourceSet\" base=\"elsewhere/shop.properties\""
                        + " webAppMount=\"/WEB-INF/classes/shop.properties\"",
                "PostResources className=\"FileResourceSet\" base=\"elsewhere/greeting.jar\""
                        + " webAppMount=\"/WEB-INF/lib/greeting.jar\"",
                "JarResources className=\"JarResourceSet\" base=\"elsewhere/greeting.jar\" internalPath=\"/META-INF/web\""
                        + " webAppMount=\"/js\"");
        try (Product product = Product.serving("start", "--base=" + base)) {
            assertEquals("other page", Curl.run(product.url("/shop/page.txt")));
            assertEquals("logo", Curl.run(product.url("/shop/media/logo.txt")));
            assertEquals("script", Curl.run(product.url("/shop/js/script.js")));
            assertEquals(403, Curl.status(product.url("/shop/closed/page.txt")));
            for (String hidden : new String[] {
                "/shop/media/link.txt",
                "/shop/media/%2e%2e/web.xml",
                "/shop/WEB-INF/lib/greeting.jar",
                "/shop/media/..%2f..%2fconf/server.xml",
                "/shop/media/none.txt"
            }) {
                int status = Curl.status("--path-as-is", product.url(hidden));
                assertTrue(status == 404 || status == 400, hidden + " " + status);
            }
            String page = Curl.run(product.url("/shop/see.jsp"));
            assertTrue(page.contains("real " + base.toRealPath().resolve("elsewhere/media/logo.txt")), page);
            assertTrue(page.contains("/media/logo.txt"), page);
            assertTrue(page.contains("config from=elsewhere"), page);
            assertTrue(page.contains("class Greeting"), page);
        }
    }

    @Test
    void mayHaveLinks() throws Exception {
        context("true", "PostResources className=\"DirResourceSet\" base=\"elsewhere/media\" webAppMount=\"/media\"");
        try (Product product = Product.serving("start", "--base=" + base)) {
            assertTrue(Curl.run(product.url("/shop/media/link.txt")).contains("<Server"));
        }
    }

    @Test
    void keepTheApplicationFromBeingDeployedIfTheyAreNotThere() throws Exception {
        context("false", "PreResources className=\"DirResourceSet\" base=\"nowhere\" webAppMount=\"/x\"");
        try (Product product = Product.launch("check", "--base=" + base)) {
            assertEquals(1, product.exitStatus(), product.output());
            product.awaitLine("its Resources name " + base.resolve("nowhere") + ": expected a directory");
        }
        context("false", "PreResources className=\"com.example.OwnSet\" base=\"elsewhere\"");
        try (Product product = Product.launch("check", "--base=" + base)) {
            assertEquals(1, product.exitStatus(), product.output());
            product.awaitLine("expected DirResourceSet, FileResourceSet or JarResourceSet");
        }
    }
}
