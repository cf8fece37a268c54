package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules of a Host, a Context, an application and a command line … */
final class RulesIT {

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
                    <Realm className="org.apache.catalina.realm.MemoryRealm"/>
                    <Host name="localhost"><Rules file="conf/site.rules"/></Host>
                  </Engine>
                </Service></Server>
                """);
        file(
                "conf/tomcat-users.xml",
                "<tomcat-users><user username='ann' password='secret' roles='admin'/></tomcat-users>");
        file("conf/site.rules", """
                # of the site
                security-headers
                path-prefix(/admin) -> response-code(403)
                path-prefix(/login) -> basic-auth(Shop, roles=admin)
                path-prefix(/limited) -> rate-limit(2/10m)
                regex('^/old/(.*)$') -> redirect('/new/${1}', status=301)
                path-prefix(/app) -> spa(webapps/ROOT/app, prefix=/app)
                """);
        file("webapps/ROOT/index.html", "home");
        file("webapps/ROOT/admin/index.html", "the admin");
        file("webapps/ROOT/login/index.html", "in");
        file("webapps/ROOT/limited/index.html", "limited");
        file("webapps/ROOT/app/index.html", "<p>page");
        file("webapps/blog/META-INF/context.xml", "<Context><Rules file='conf/blog.rules'/></Context>");
        file("conf/blog.rules", "path-template('/posts/{id}') -> rewrite('/show.jsp?post=${id}')\n");
        file("webapps/blog/show.jsp", "<%= request.getParameter(\"post\") %> <%= request.getServletPath() %>");
        file(
                "webapps/blog/WEB-INF/undertow-handlers.conf",
                "path('/private') -> response-code(404)\nheader(X-Blog, yes)\n");
        file("webapps/blog/private", "private");
    }

    @Test
    void areApplied() throws Exception {
        try (Product product = Product.serving("start", "--base=" + base)) {
            assertTrue(answer(product, "/").contains("X-Content-Type-Options: nosniff\r\n"));
            for (String spelling : new String[] {
                "/admin/",
                "/admin/index.html",
                "/%61dmin/",
                "//admin/",
                "/x/../admin/",
                "/x/%2e%2e/admin/",
                "/admin;a=b/",
                "/./admin/"
            }) {
                assertTrue(answer(product, spelling).startsWith("HTTP/1.1 403 "), spelling);
            }
            assertEquals(401, Curl.status(product.url("/login/")));
            assertEquals("in", Curl.run("-u", "ann:secret", product.url("/login/")));
            assertEquals(200, Curl.status(product.url("/limited/")));
            assertEquals(200, Curl.status(product.url("/limited/")));
            assertTrue(answer(product, "/limited/").contains("Retry-After: 300\r\n"));
            assertTrue(answer(product, "/old/1?a").contains("Location: /new/1\r\n"));
            assertEquals("<p>page", Curl.run("-H", "Accept: text/html", product.url("/app/orders/7")));
            assertEquals("7 /show.jsp", Curl.run(product.url("/blog/posts/7")).strip());
            assertEquals(404, Curl.status(product.url("/blog/private")));
            assertTrue(answer(product, "/blog/show.jsp").contains("X-Blog: yes\r\n"));
        }
    }

    private static String answer(Product product, String target) throws IOException {
        try (RawClient client = RawClient.connect(product.ports().get(0))) {
            client.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            return client.readTextToEnd();
        }
    }

    @Test
    void stopTheStartIfAnythingInThemIsUnknownAndCheckSaysTheSame() throws Exception {
        file("conf/site.rules", "security-headers\n  path-prefix(/admin) -> respnse-code(403)\n");
        file("webapps/blog/WEB-INF/undertow-handlers.conf", "path('/private') -> jvm-route\n");
        for (String command : new String[] {"check", "start"}) {
            try (Product product = Product.launch(command, "--base=" + base)) {
                assertEquals(1, product.exitStatus(), product.output());
                product.awaitLine(
                        "conf/site.rules:2:26: there is no action 'respnse-code'; did you mean 'response-code'?");
                assertTrue(
                        product.output().contains("                         ^"),
                        () -> "a caret below the place in\n" + product.output());
                if (command.equals("check")) {
                    product.awaitLine(
                            "webapps/blog: WEB-INF/undertow-handlers.conf:1:21: there is no action 'jvm-route'");
                }
            }
        }
        Path rules = base.resolve("webapps/blog/WEB-INF/undertow-handlers.conf");
        Files.delete(rules);
        Files.createSymbolicLink(rules, Path.of("nowhere"));
        try (Product product = Product.launch("check", "--base=" + base)) {
            assertEquals(1, product.exitStatus(), product.output());
            product.awaitLine("webapps/blog: WEB-INF/undertow-handlers.conf cannot be read");
        }
        try (Product product = Product.launch("run", "--rule", "pth(/a) -> done", base + "/webapps/ROOT=")) {
            assertEquals(1, product.exitStatus(), product.output());
            product.awaitLine("--rule 1:1: there is no predicate 'pth'; did you mean 'path'?");
        }
    }
}
