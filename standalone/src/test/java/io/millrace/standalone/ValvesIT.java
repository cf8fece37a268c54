package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tomcat's Valves of Host and Context, on the product … */
final class ValvesIT {

    private static final String VALVES = "org.apache.catalina.valves.";

    @TempDir
    private Path base = Path.of("");

    private void file(String name, String content) throws IOException {
        Path file = base.resolve(name);
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, content);
    }

    private static String valve(String type, String attributes) {
        return "<Valve className=\"" + VALVES + type + "\" " + attributes + "/>";
    }

    private void server(String inHost) throws IOException {
        file("conf/server.xml", """
                <Server><Service name="Catalina"><Connector port="0" address="127.0.0.1"/>
                  <Engine name="Catalina" defaultHost="localhost"><Host name="localhost">
                    %s
                  </Host></Engine>
                </Service></Server>
                """.formatted(inHost));
    }

    private void context(String application, String valves) throws IOException {
        file("webapps/" + application + "/META-INF/context.xml", "<Context>" + valves + "</Context>");
    }

    @BeforeEach
    void deploy() throws IOException {
        file("webapps/ROOT/index.html", "root");
        file("webapps/shop/fail.jsp", "<% if (true) throw new IllegalStateException(\"secret\"); %>");
        file("webapps/shop/where.jsp", "<%= request.getRemoteAddr() %> <%= request.isSecure() %>");
    }

    @Test
    void reportErrorsAsTheySay() throws Exception {
        file("conf/none.html", "nothing at this place");
        server(valve(
                "ErrorReportValve", "showReport=\"false\" errorCode.404=\"conf/none.html\" errorCode.410=\"gone\""));
        context("shop", valve("JsonErrorReportValve", "showReport=\"true\" showServerInfo=\"false\""));
        try (Product product = Product.serving("start", "--base=" + base)) {
            product.awaitLine("the error page " + base.resolve("gone") + " cannot be read: there is no such file");
            assertEquals("nothing at this place", Curl.run(product.url("/none")));
            String failure = Curl.run("-H", "Accept: text/html", product.url("/shop/fail.jsp"));
            assertTrue(failure.startsWith("{\"status\":500,\"message\":"), failure);
            assertTrue(failure.contains("java.lang.IllegalStateException: secret"), failure);
            assertFalse(failure.contains("\"server\""), failure);
            assertTrue(Curl.run(product.url("/shop/none")).startsWith("{\"status\":404,"));
        }
    }

    @Test
    void believeAFrontEndOfOneApplication() throws Exception {
        server("");
        context("shop", valve("RemoteIpValve", "internalProxies=\"127.0.0.0/8,::1\""));
        file("webapps/other/where.jsp", "<%= request.getRemoteAddr() %> <%= request.isSecure() %>");
        try (Product product = Product.serving("start", "--base=" + base)) {
            String[] fields = {"-H", "X-Forwarded-For: 203.0.113.5", "-H", "X-Forwarded-Proto: https"};
            assertEquals("203.0.113.5 true", ask(product, "/shop/where.jsp", fields));
            assertEquals("127.0.0.1 false", ask(product, "/other/where.jsp", fields));
        }
    }

    @Test
    void shareALogInOfAllApplicationsWithOneRealm() throws Exception {
        String realm = realm();
        server(realm + "<Valve className=\"org.apache.catalina.authenticator.SingleSignOn\" cookieName=\"SHARED\"/>");
        for (String application : new String[] {"one", "two", "own"}) {
            secured("webapps/" + application);
        }
        context("own", realm);
        Path jar = base.resolve("cookies");
        String[] cookies = {"-b", jar.toString(), "-c", jar.toString()};
        try (Product product = Product.serving("start", "--base=" + base)) {
            product.awaitLine("Context of \"/own\": it has its own Realm, so it does not take part in SingleSignOn");
            assertEquals(401, status(product, "/two/who.jsp", cookies));
            String[] first = {"-u", "ann:pw", "-b", jar.toString(), "-c", jar.toString()};
            assertEquals("ann", ask(product, "/one/who.jsp", first));
            assertEquals("ann", ask(product, "/two/who.jsp", cookies));
            assertEquals(401, status(product, "/own/who.jsp", cookies));
            assertEquals("", ask(product, "/two/logout.jsp", cookies));
            assertEquals(401, status(product, "/one/who.jsp", cookies));
        }
    }

    private String realm() throws IOException {
        file("conf/users.xml", "<tomcat-users><user username=\"ann\" password=\"pw\" roles=\"user\"/></tomcat-users>");
        return "<Realm className=\"org.apache.catalina.realm.MemoryRealm\" pathname=\"conf/users.xml\"/>";
    }

    private void secured(String application) throws IOException {
        file(application + "/WEB-INF/web.xml", """
                <web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="4.0">
                  <security-constraint>
                    <web-resource-collection>
                      <web-resource-name>all</web-resource-name><url-pattern>/*</url-pattern>
                    </web-resource-collection>
                    <auth-constraint><role-name>user</role-name></auth-constraint>
                  </security-constraint>
                  <login-config><auth-method>BASIC</auth-method></login-config>
                </web-app>
                """);
        file(application + "/who.jsp", "<%= request.getRemoteUser() %>");
        file(application + "/logout.jsp", "<% request.logout(); %>");
    }

    @Test
    void shareALogInOfAllHostsOfADomain() throws Exception {
        file("conf/server.xml", """
                <Server><Service name="Catalina"><Connector port="0" address="127.0.0.1"/>
                  <Engine name="Catalina" defaultHost="shop.example.test">
                    %s<Valve className="org.apache.catalina.authenticator.SingleSignOn" cookieDomain="example.test"/>
                    <Host name="shop.example.test" appBase="shop"/><Host name="bank.example.test" appBase="bank"/>
                    <Host name="own.example.test" appBase="own">%s</Host><Host name="shop.other.test" appBase="other"/>
                  </Engine>
                </Service></Server>
                """.formatted(realm(), "<Realm className=\"org.apache.catalina.realm.NullRealm\"/>"));
        for (String directory : new String[] {"shop", "bank", "own", "other"}) {
            secured(directory + "/ROOT");
        }
        try (Product product = Product.serving("start", "--base=" + base)) {
            assertEquals(401, statusAt(product, "bank.example.test", "/who.jsp"));
            assertEquals(200, statusAt(product, "shop.example.test", "/who.jsp", "-u", "ann:pw"));
            assertEquals(401, statusAt(product, "shop.other.test", "/who.jsp"));
            assertEquals(401, statusAt(product, "own.example.test", "/who.jsp"), "it has other users");
            assertEquals(200, statusAt(product, "bank.example.test", "/who.jsp"));
            assertEquals(200, statusAt(product, "bank.example.test", "/logout.jsp"));
            assertEquals(401, statusAt(product, "shop.example.test", "/who.jsp"));
        }
    }

    /** As a browser with one jar for the cookies of all hosts is answered. */
    private int statusAt(Product product, String host, String path, String... words) throws Exception {
        String jar = base.resolve("cookies").toString();
        int port = product.ports().get(0);
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("-b", jar, "-c", jar, "--connect-to", "::127.0.0.1:" + port));
        all.add("http://" + host + ":" + port + path);
        return Curl.status(all.toArray(String[]::new));
    }

    private static int status(Product product, String path, String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of("-o", "/dev/null", "-w", "%{http_code}"));
        all.addAll(List.of(words));
        return Integer.parseInt(ask(product, path, all.toArray(String[]::new)));
    }

    private static String ask(Product product, String path, String... words) throws Exception {
        String[] all = Arrays.copyOf(words, words.length + 1);
        all[words.length] = product.url(path);
        return Curl.run(all).strip();
    }

    @Test
    void areWarnedOfWhereTheyHaveNoEffect() throws Exception {
        server(valve("rewrite.RewriteValve", "") + valve("ErrorReportValve", "errorCode.404=\"gone\""));
        context(
                "shop",
                valve("rewrite.RewriteValve", "")
                        + valve("ErrorReportValve", "showReport=\"false\" errorCode.404=\"lost\""));
        Path rules = base.resolve("conf/Catalina/localhost/rewrite.config");
        for (String command : new String[] {"check", "start"}) {
            try (Product product = command.equals("start")
                    ? Product.serving("start", "--base=" + base)
                    : Product.launch(command, "--base=" + base)) {
                product.awaitLine("warning: the RewriteValve has no rules: there is no " + rules);
                product.awaitLine("the Valve shows messages and stack traces of errors to clients");
                product.awaitLine("the error page " + base.resolve("gone") + " cannot be read");
                product.awaitLine("the RewriteValve has no rules: there is no WEB-INF/rewrite.config");
                product.awaitLine("the error page " + base.resolve("lost") + " cannot be read");
            }
        }
    }

    @Test
    void limitRequests() throws Exception {
        server(valve("SemaphoreValve", "concurrency=\"1\" block=\"false\" highConcurrencyStatus=\"429\""));
        file("webapps/shop/hold.jsp", """
                <% new java.io.File(request.getParameter("began")).createNewFile();
                while (!new java.io.File(request.getParameter("until")).exists()) Thread.sleep(5); %>""");
        try (Product product = Product.serving("start", "--base=" + base);
                RawClient held = RawClient.connect(product.ports().get(0))) {
            String target = "/shop/hold.jsp?began=" + base.resolve("began") + "&until=" + base.resolve("until");
            held.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            Deadline.await("the page", () -> Files.exists(base.resolve("began")));
            assertEquals(429, Curl.status(product.url("/")));
            file("until", "");
            assertTrue(held.readTextToEnd().startsWith("HTTP/1.1 200 "));
        }
    }

    @Test
    void takeTheClientsCertificateFromAFrontEnd() throws Exception {
        server(valve("SSLValve", "trusted=\"127.0.0.0/8,::1\""));
        file("webapps/shop/certificate.jsp", """
                <% Object chain = request.getAttribute("javax.servlet.request.X509Certificate");
                out.print(chain == null ? "none" : ((java.security.cert.X509Certificate[]) chain)[0].getSubjectX500Principal());
                out.print(" " + request.getAttribute("javax.servlet.request.cipher_suite")); %>""");
        Path pem = TestCertificate.certificate(base.resolve("certificate.pem"));
        String field = "ssl_client_cert: " + Files.readString(pem).strip().replaceAll("\\R", " ");
        try (Product product = Product.serving("start", "--base=" + base)) {
            assertEquals("none null", ask(product, "/shop/certificate.jsp"));
            String seen =
                    ask(product, "/shop/certificate.jsp", "-H", field, "-H", "ssl_cipher: TLS_AES_128_GCM_SHA256");
            assertTrue(seen.startsWith("CN=") && seen.endsWith(" TLS_AES_128_GCM_SHA256"), seen);
        }
    }

    @Test
    void findThreadsThatAreStuck() throws Exception {
        server("");
        context("shop", valve("StuckThreadDetectionValve", "threshold=\"1\" interruptThreadThreshold=\"1\""));
        file("webapps/shop/stuck.jsp", """
                <% try { Thread.sleep(600000); } catch (InterruptedException e) { out.print("interrupted"); } %>""");
        try (Product product = Product.serving("start", "--base=" + base)) {
            assertEquals("interrupted", ask(product, "/shop/stuck.jsp"));
            product.awaitLine("has been busy with GET /shop/stuck.jsp");
            product.awaitLine("MILLRACE0106: Interrupted thread");
        }
    }

    @Test
    void giveCrawlersOneSessionAndTellTheHealthOfAnApplication() throws Exception {
        server(valve("CrawlerSessionManagerValve", ""));
        file("webapps/shop/session.jsp", "<%= session.getId() %> <%= session.getMaxInactiveInterval() %>");
        context(
                "shop",
                valve("HealthCheckValve", "path=\"/alive\"") + valve("RemoteCIDRValve", "allow=\"127.0.0.0/8\""));
        try (Product product = Product.serving("start", "--base=" + base)) {
            String first = ask(product, "/shop/session.jsp", "-A", "ExampleBot/1.0");
            assertTrue(first.endsWith(" 60"), first);
            assertEquals(first, ask(product, "/shop/session.jsp", "-A", "ExampleBot/1.0"));
            assertNotEquals(first, ask(product, "/shop/session.jsp", "-A", "Browser"));
            assertTrue(ask(product, "/shop/alive").startsWith("{\"status\":\"UP\""));
            assertEquals(404, Curl.status(product.url("/alive")));
        }
    }

    /** What a balancer says over AJP, a rule says here. */
    @Test
    void sendClientsAwayWhoseSessionHasEndedWhileTheNodeIsDrained() throws Exception {
        server(valve("rewrite.RewriteValve", "")
                + valve("LoadBalancerDrainingValve", "ignoreCookieName=\"stay\" ignoreCookieValue=\"yes\""));
        file("conf/Catalina/localhost/rewrite.config", "RewriteRule .* - [E=JK_LB_ACTIVATION:DIS]");
        file("webapps/shop/session.jsp", "<%= session.getId() %>");
        context("shop", valve("LoadBalancerDrainingValve", "redirectStatusCode=\"302\""));
        try (Product product = Product.serving("start", "--base=" + base)) {
            String session = ask(product, "/shop/session.jsp");
            assertEquals(session, ask(product, "/shop/session.jsp", "-b", "JSESSIONID=" + session));
            String gone = product.url("/shop/session.jsp;jsessionid=gone?a=b");
            assertEquals(
                    "307 " + product.url("/shop/session.jsp?a=b"),
                    Curl.run("-w", "%{http_code} %{redirect_url}", "-b", "JSESSIONID=gone", gone));
            assertEquals(302, Curl.status("-b", "JSESSIONID=gone; stay=yes", gone), "the Context's");
            file("cookies", "localhost\tFALSE\t/shop\tFALSE\t0\tJSESSIONID\tgone\n");
            assertEquals(200, Curl.status("-L", "-b", base.resolve("cookies").toString(), gone), "once");
        }
    }

    @Test
    void ofOwnClassesAreRefusedWithWhatToWriteInstead() throws Exception {
        String own = "<Valve className=\"com.example.Guard\"/>";
        server("");
        context("shop", own);
        try (Product product = Product.launch("check", "--base=" + base)) {
            assertEquals(1, product.exitStatus(), product.output());
            product.awaitLine("Valve com.example.Guard: it is not supported, and it may restrict access; write it"
                    + " as a Filter in the application's web.xml, or as an HttpHandler of an embedded server");
        }
        try (Product product = Product.serving("start", "--base=" + base)) {
            product.awaitLine("Valve com.example.Guard: it is not supported");
            assertEquals(503, Curl.status(product.url("/shop/where.jsp")));
            assertEquals("root", Curl.run(product.url("/")));
        }
        server(own);
        try (Product product = Product.launch("start", "--base=" + base)) {
            assertEquals(1, product.exitStatus(), product.output());
            product.awaitLine("Valve com.example.Guard: it is not supported");
        }
    }
}
