package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where no application is at the root, a browser that asks for it … */
final class ApplicationIndexIT {

    private static final String NAME = "<a href=\"./shop/\">/shop</a></td><td>A &amp; B</td>";

    @TempDir
    Path base = Path.of("");

    private Path webapp(String name) throws Exception {
        Path webInf =
                Files.createDirectories(base.resolve("webapps").resolve(name).resolve("WEB-INF"));
        Files.writeString(
                webInf.resolve("web.xml"),
                "<web-app xmlns='http://xmlns.jcp.org/xml/ns/javaee' version='3.1'>"
                        + "<display-name>A &amp; B</display-name></web-app>");
        return base.resolve("webapps").resolve(name);
    }

    private static String root(Product product) throws Exception {
        assertEquals(404, Curl.status("-H", "Accept: text/html", product.url("/")));
        return Curl.run("-H", "Accept: text/html", product.url("/"));
    }

    @Test
    void isShownTheApplicationsByRunUnlessItIsToldNotTo() throws Exception {
        String shop = webapp("shop").toString();
        try (Product product = Product.serving("run", "--port=0", "--address=127.0.0.1", shop)) {
            String page = root(product);
            assertTrue(page.contains(NAME), page);
        }
        try (Product product = Product.serving("run", "--port=0", "--address=127.0.0.1", "--no-index", shop)) {
            assertFalse(root(product).contains("shop"));
        }
    }

    @ParameterizedTest
    @CsvSource({"'', false", "listApplications='true', true"})
    void isShownThemByStartIfTheHostSaysSo(String attribute, boolean shown) throws Exception {
        webapp("shop");
        Path conf = Files.createDirectories(base.resolve("conf"));
        Files.writeString(
                conf.resolve("server.xml"),
                "<Server><Service><Connector port='0' address='127.0.0.1'/><Engine defaultHost='localhost'>"
                        + "<Host name='localhost' appBase='webapps' autoDeploy='false' " + attribute
                        + "/></Engine></Service></Server>");
        try (Product product = Product.serving("start", "--base", base.toString())) {
            assertEquals(shown, root(product).contains(NAME));
        }
    }
}
