package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.probe.ShopMap;
import io.millrace.testkit.RawClient;
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

/** The RewriteValve of a Host and of a Context … */
final class RewriteValveIT {

    private static final String VALVE = "<Valve className=\"org.apache.catalina.valves.rewrite.RewriteValve\"/>";

    @TempDir
    private Path base = Path.of("");

    private void file(String name, String content) throws IOException {
        Path file = base.resolve(name);
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, content);
    }

    @BeforeEach
    void makeBase() throws IOException {
        file("conf/server.xml", """
                <Server><Service name="Catalina"><Connector port="0" address="127.0.0.1"/>
                  <Engine name="Catalina" defaultHost="localhost">
                    <Host name="localhost">
                      %s
                    </Host>
                    <Host name="other.test" appBase="others"/>
                  </Engine>
                </Service></Server>
                """.formatted(VALVE));
        file("conf/Catalina/localhost/rewrite.config", """
                # of the site
                RewriteMap shops io.millrace.standalone.probe.ShopMap .html
                RewriteRule /shop/(\\d+) /${shops:$1|none.html} [L]
                RewriteRule /secret/.* - [F]
                RewriteCond %{HTTP:X-Forwarded-Proto} =http
                RewriteRule (.*) https://%{HTTP_HOST}$1 [R=301,L]
                RewriteCond %{HTTP_USER_AGENT} .*Other.*
                RewriteRule localhost other.test [H]
                RewriteCond %{REQUEST_PATH} !-f
                RewriteRule /spa/.* /app.jsp [E=shop.name:Corner,L]
                """);
        file("webapps/ROOT/one.html", "shop one");
        file("webapps/ROOT/none.html", "no shop");
        file("webapps/ROOT/secret/a.html", "secret");
        file("webapps/ROOT/spa/script.js", "script");
        file("webapps/ROOT/app.jsp", "<%= request.getAttribute(\"shop.name\") %> <%= request.getRequestURI() %>");
        file("webapps/blog/META-INF/context.xml", "<Context>" + VALVE + "</Context>");
        file("webapps/blog/WEB-INF/rewrite.config", """
                RewriteRule /posts/(.*) /show.jsp?post=$1 [QSA]
                RewriteRule /old/(.*) /posts/$1 [R]
                """);
        file(
                "webapps/blog/show.jsp",
                "<%= request.getParameter(\"post\") %> <%= request.getParameter(\"page\") %> <%= request.getServletPath() %>");
        file("others/ROOT/index.html", "the other site");
        Files.createDirectories(base.resolve("lib"));
        String name = ShopMap.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(base.resolve("lib/shops.jar")));
                InputStream in =
                        Objects.requireNonNull(ShopMap.class.getClassLoader().getResourceAsStream(name))) {
            jar.putNextEntry(new JarEntry(name));
            in.transferTo(jar);
        }
    }

    @Test
    void appliesItsRules() throws Exception {
        try (Product product = Product.serving("start", "--base=" + base)) {
            assertEquals("shop one", Curl.run(product.url("/shop/1")));
            assertEquals("no shop", Curl.run(product.url("/shop/7")));
            assertEquals(403, Curl.status(product.url("/secret/a.html")));
            assertEquals(403, Curl.status(product.url("/secret/%61.html")));
            assertEquals(
                    "Corner /app.jsp", Curl.run(product.url("/spa/users/7")).strip());
            assertEquals("script", Curl.run(product.url("/spa/script.js")));
            assertEquals(
                    "7 2 /show.jsp",
                    Curl.run(product.url("/blog/posts/7?page=2")).strip());
            assertTrue(answer(product, "GET /blog/old/7 HTTP/1.1").contains("Location: /blog/posts/7\r\n"));
            assertTrue(answer(product, "GET /one.html?a=b HTTP/1.1\r\nX-Forwarded-Proto: http")
                    .contains("Location: https://localhost/one.html?a=b\r\n"));
            assertTrue(answer(product, "GET / HTTP/1.1\r\nUser-Agent: Other").contains("the other site"));
        }
    }

    private static String answer(Product product, String request) throws IOException {
        try (RawClient client = RawClient.connect(product.ports().get(0))) {
            client.send(request + "\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            return client.readTextToEnd();
        }
    }

    @Test
    void stopsTheStartIfARuleMeansNothingAndCheckSaysTheSame() throws Exception {
        file("conf/Catalina/localhost/rewrite.config", "RewriteRule /a /b\nRewriteRule /a /b [XY]\n");
        file("webapps/blog/WEB-INF/rewrite.config", "RewriteRule ( /b\n");
        for (String command : new String[] {"check", "start"}) {
            try (Product product = Product.launch(command, "--base=" + base)) {
                assertEquals(1, product.exitStatus(), product.output());
                product.awaitLine("rewrite.config:2: RewriteRule has no flag XY");
                if (command.equals("check")) {
                    product.awaitLine("webapps/blog: WEB-INF/rewrite.config:1: Unclosed group");
                }
            }
        }
    }
}
