package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The text interface of Tomcat's manager, by an application with the descriptors of Tomcat's, … */
final class ManagerIT {

    private static final String WEB_XML = """
            <web-app version="4.0" metadata-complete="true">
              <servlet><servlet-name>Manager</servlet-name>
                <servlet-class>org.apache.catalina.manager.ManagerServlet</servlet-class>
                <init-param><param-name>debug</param-name><param-value>2</param-value></init-param></servlet>
              <servlet-mapping><servlet-name>Manager</servlet-name><url-pattern>/text/*</url-pattern></servlet-mapping>
              <security-constraint>
                <web-resource-collection><web-resource-name>text</web-resource-name><url-pattern>/text/*</url-pattern>
                </web-resource-collection>
                <auth-constraint><role-name>manager-script</role-name></auth-constraint>
              </security-constraint>
              <login-config><auth-method>BASIC</auth-method><realm-name>Manager</realm-name></login-config>
              <security-role><role-name>manager-script</role-name></security-role>
            </web-app>
            """;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    private Path base = Path.of("");

    private @Nullable Product product;

    @BeforeEach
    void start() throws Exception {
        file("conf/server.xml", """
                <Server><GlobalNamingResources>
                  <Resource name="UserDatabase" type="org.apache.catalina.UserDatabase" auth="Container"
                      factory="org.apache.catalina.users.MemoryUserDatabaseFactory" pathname="conf/tomcat-users.xml"/>
                </GlobalNamingResources>
                <Service name="Catalina"><Connector port="0" address="127.0.0.1"/>
                  <Engine name="Catalina" defaultHost="localhost">
                    <Realm className="org.apache.catalina.realm.UserDatabaseRealm" resourceName="UserDatabase"/>
                    <Host name="localhost" autoDeploy="false"><Context path="/fixed" docBase="../fixed"/></Host></Engine>
                </Service></Server>
                """);
        file("conf/tomcat-users.xml", """
                <tomcat-users><user username="ada" password="lovelace" roles="manager-script"/>
                  <user username="eve" password="eve" roles="guest"/></tomcat-users>
                """);
        file("webapps/manager/META-INF/context.xml", """
                <Context privileged="true"><Valve className="org.apache.catalina.valves.RemoteCIDRValve"
                    allow="127.0.0.0/8,::1/128"/></Context>
                """);
        file("webapps/manager/WEB-INF/web.xml", WEB_XML);
        file("webapps/other/WEB-INF/web.xml", WEB_XML);
        file("fixed/page.txt", "fixed");
        product = Product.serving("start", "--base=" + base);
    }

    @AfterEach
    void stop() {
        if (product != null) {
            product.close();
        }
    }

    private void file(String name, String content) throws IOException {
        Path file = base.resolve(name);
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, content);
    }

    /** A WAR with a page, and perhaps a listener that cannot be made. */
    private static byte[] war(String page, boolean starts) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry("page.txt"));
            zip.write(page.getBytes(StandardCharsets.UTF_8));
            zip.putNextEntry(new ZipEntry("session.jsp"));
            zip.write("<%= session.getId() %>".getBytes(StandardCharsets.UTF_8));
            zip.putNextEntry(new ZipEntry("WEB-INF/web.xml"));
            String listener = starts ? "" : "<listener><listener-class>java.lang.Integer</listener-class></listener>";
            zip.write(("<web-app version=\"4.0\">" + listener + "</web-app>").getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private HttpResponse<String> send(String path, String user, byte @Nullable [] body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(Objects.requireNonNull(product).url(path)))
                .timeout(Duration.ofSeconds(60));
        if (!user.isEmpty()) {
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)));
        }
        return client.send(
                (body == null ? request : request.PUT(BodyPublishers.ofByteArray(body))).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private String ask(String command) throws Exception {
        HttpResponse<String> answer = send("/manager/text" + command, "ada:lovelace", null);
        assertEquals(200, answer.statusCode(), answer.body());
        assertEquals(
                "text/plain;charset=utf-8",
                answer.headers().firstValue("Content-Type").orElse(""));
        return answer.body();
    }

    private String put(String parameters, byte[] war) throws Exception {
        HttpResponse<String> answer = send("/manager/text/deploy?" + parameters, "ada:lovelace", war);
        assertEquals(200, answer.statusCode(), answer.body());
        return answer.body();
    }

    private String page(String path) throws Exception {
        HttpResponse<String> answer = send(path, "", null);
        return answer.statusCode() == 200 ? answer.body() : String.valueOf(answer.statusCode());
    }

    private List<String> appBase() throws IOException {
        try (Stream<Path> files = Files.list(base.resolve("webapps"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void deploysAndUndeploys() throws Exception {
        assertEquals("OK - Deployed application at context path [/shop]\n", put("path=/shop", war("one", true)));
        assertEquals("one", page("/shop/page.txt"));
        assertEquals(
                "OK - Listed applications for virtual host [localhost]\n/fixed:running:0:" + base
                        + "/fixed\n/manager:running:0:manager\n/other:stopped:0:other\n/shop:running:0:shop\n",
                ask("/list"));
        assertEquals("FAIL - Application already exists at path [/shop]\n", put("path=/shop", war("two", true)));
        assertEquals("one", page("/shop/page.txt"));
        assertEquals(
                "OK - Deployed application at context path [/shop]\n", put("path=/shop&update=true", war("two", true)));
        assertEquals("two", page("/shop/page.txt"));
        assertEquals("OK - Undeployed application at context path [/shop]\n", ask("/undeploy?path=/shop"));
        assertEquals("404", page("/shop/page.txt"));
        assertEquals(List.of("manager", "other"), appBase());
        assertEquals("FAIL - No context exists named [/shop]\n", ask("/undeploy?path=/shop"));
        assertTrue(Objects.requireNonNull(product).has("Command /undeploy for [/shop] by user ada from 127.0.0.1: OK"));
    }

    @Test
    void keepsTheVersionInServiceIfTheNextDoesNotStart() throws Exception {
        put("path=/shop", war("one", true));
        assertEquals(
                "FAIL - Deployed application at context path [/shop] but context failed to start\n",
                put("path=/shop&update=true", war("broken", false)));
        assertEquals("one", page("/shop/page.txt"));
        assertTrue(ask("/list").contains("\n/shop:running:0:shop\n"));
        assertEquals("OK - Reloaded application at context path [/shop]\n", ask("/reload?path=/shop"));
        assertEquals("one", page("/shop/page.txt"), "its file is there again");
        assertEquals(List.of("manager", "other", "shop.war"), appBase());
    }

    @Test
    void deploysWhatDoesNotStartIfThereWasNothing() throws Exception {
        assertEquals(
                "FAIL - Deployed application at context path [/shop] but context failed to start\n",
                put("path=/shop", war("broken", false)));
        assertTrue(ask("/list").contains("\n/shop:stopped:0:shop\n"));
        assertEquals("FAIL - Application at context path [/shop] could not be started\n", ask("/start?path=/shop"));
        assertEquals("503", page("/shop/page.txt"));
        assertEquals(
                "OK - Deployed application at context path [/shop]\n", put("path=/shop&update=true", war("one", true)));
        assertEquals("one", page("/shop/page.txt"));
    }

    @Test
    void deploysNothingThatIsNoApplication() throws Exception {
        put("path=/shop", war("one", true));
        for (String parameters : List.of("path=/new", "path=/shop&update=true")) {
            String answer = put(parameters, "no archive".getBytes(StandardCharsets.UTF_8));
            assertTrue(answer.startsWith("FAIL - Encountered exception ["), answer);
        }
        assertEquals("one", page("/shop/page.txt"));
        assertEquals(List.of("manager", "other", "shop.war"), appBase());
        try (Stream<Path> uploads = Files.list(base.resolve("work/upload"))) {
            assertEquals(0, uploads.count());
        }
    }

    @Test
    void deploysVersionsAndTags() throws Exception {
        assertEquals(
                "OK - Deployed application at context path [/shop##2]\n",
                put("path=/shop&version=2&tag=good", war("two", true)));
        assertTrue(ask("/list").contains("\n/shop:running:0:shop##2\n"));
        assertEquals("OK - Undeployed application at context path [/shop##2]\n", ask("/undeploy?path=/shop&version=2"));
        assertEquals(
                "OK - Deployed application at context path [/shop##2]\n", ask("/deploy?path=/shop&version=2&tag=good"));
        assertEquals("two", page("/shop/page.txt"));
    }

    @Test
    void deploysFilesBelowItsBaseDirectoryOnly() throws Exception {
        Files.createDirectories(base.resolve("wars/exploded"));
        Files.write(base.resolve("wars/a.war"), war("a", true));
        file("wars/exploded/page.txt", "exploded");
        file("wars/c.xml", "<Context docBase=\"" + base + "/wars/a.war\"/>");
        assertEquals(
                "OK - Deployed application at context path [/a]\n", ask("/deploy?war=file:" + base + "/wars/a.war"));
        assertEquals("a", page("/a/page.txt"));
        assertEquals(
                "OK - Deployed application at context path [/b]\n",
                ask("/deploy?path=/b&war=jar:file:" + base + "/wars/exploded!/"));
        assertEquals("exploded", page("/b/page.txt"));
        assertEquals(
                "OK - Deployed application at context path [/c]\n",
                ask("/deploy?path=/c&config=file:" + base + "/wars/c.xml"));
        assertEquals("a", page("/c/page.txt"));
        assertEquals("OK - Undeployed application at context path [/c]\n", ask("/undeploy?path=/c"));
        assertTrue(Files.exists(base.resolve("wars/a.war")), "it is not in appBase");
        for (String outside : List.of("file:/etc", "/etc/passwd", "../../../../../etc/passwd")) {
            String answer = ask("/deploy?path=/d&war=" + outside);
            assertTrue(answer.startsWith("FAIL - Encountered exception ["), answer);
        }
        assertEquals("FAIL - Invalid parameters supplied for command [/deploy]\n", ask("/deploy?path=/d"));
    }

    @Test
    void leavesWhatWasStoppedStoppedIfAnUpdateFails() throws Exception {
        put("path=/shop", war("one", true));
        ask("/stop?path=/shop");
        put("path=/shop&update=true", war("broken", false));
        assertEquals("404", page("/shop/page.txt"));
        assertEquals("OK - Started application at context path [/shop]\n", ask("/start?path=/shop"));
        assertEquals("one", page("/shop/page.txt"));
    }

    @Test
    void stopsStartsAndReloads() throws Exception {
        put("path=/shop", war("one", true));
        assertEquals("OK - Stopped application at context path [/shop]\n", ask("/stop?path=/shop"));
        assertEquals("404", page("/shop/page.txt"));
        assertTrue(ask("/list").contains("\n/shop:stopped:0:shop\n"));
        assertEquals("OK - Started application at context path [/shop]\n", ask("/start?path=/shop"));
        assertEquals("one", page("/shop/page.txt"));
        assertEquals("OK - Reloaded application at context path [/shop]\n", ask("/reload?path=/shop"));
        assertEquals("one", page("/shop/page.txt"));
    }

    @Test
    void countsAndExpiresSessions() throws Exception {
        put("path=/shop", war("one", true));
        page("/shop/session.jsp");
        page("/shop/session.jsp");
        assertTrue(ask("/list").contains("\n/shop:running:2:shop\n"));
        String found = """
                OK - Session information for application at context path [/shop]
                Default maximum session inactive interval is [30] minutes
                Inactive for [<1] minutes: [2] sessions
                """;
        assertEquals(found, ask("/sessions?path=/shop"));
        assertEquals(
                found + "Inactive for [>5] minutes: [0] sessions were expired\n", ask("/expire?path=/shop&idle=5"));
        assertEquals(
                found + "Inactive for [>0] minutes: [2] sessions were expired\n", ask("/expire?path=/shop&idle=0"));
        assertTrue(ask("/list").contains("\n/shop:running:0:shop\n"));
    }

    @Test
    void describesTheServer() throws Exception {
        assertTrue(ask("/serverinfo").startsWith("OK - Server info\nTomcat Version: [Millrace "), ask("/serverinfo"));
        assertTrue(ask("/vminfo").startsWith("OK - VM info\n"));
        String threads = ask("/threaddump");
        assertTrue(threads.startsWith("OK - JVM thread dump\n"));
        assertTrue(threads.contains("    at java.base/java.lang.Thread.") || threads.contains("    at java."), threads);
        assertEquals(
                "OK - Listed global resources of all types\nUserDatabase:org.apache.catalina.UserDatabase\n",
                ask("/resources"));
        assertEquals("OK - Listed global resources of type [x]\n", ask("/resources?type=x"));
        assertTrue(ask("/findleaks?statusLine=true").startsWith("OK - "));
        assertEquals("OK - Reloaded TLS configuration for all TLS virtual hosts\n", ask("/sslReload"));
        for (String command : List.of("/sslConnectorCiphers", "/sslConnectorCerts", "/sslConnectorTrustedCerts")) {
            String answer = ask(command);
            assertTrue(answer.startsWith("OK - Connector"), answer);
            assertTrue(answer.contains("  SSL is not enabled for this connector\n"), answer);
        }
    }

    @Test
    void saysWhatItCannotDo() throws Exception {
        assertEquals("FAIL - Unknown command [/x]\n", ask("/x"));
        assertEquals("FAIL - No command was specified\n", ask("/"));
        assertEquals("FAIL - Invalid context path [null] was specified\n", ask("/stop"));
        for (String path : List.of("shop", "/a/../b", "/a%23b", "/a//b", "/a%5Cb", "/a%0Ab")) {
            String answer = ask("/stop?path=" + path);
            assertTrue(
                    answer.startsWith("FAIL - Invalid context path [")
                            || answer.equals("FAIL - No context exists named [/a/../b]\n"),
                    answer);
        }
        for (String command : List.of("reload", "stop", "undeploy")) {
            assertEquals(
                    "FAIL - The manager cannot reload, undeploy, stop, or undeploy itself\n",
                    ask("/" + command + "?path=/manager"));
        }
        assertEquals(
                "FAIL - Context [/fixed] is defined in server.xml and may not be undeployed\n",
                ask("/undeploy?path=/fixed"));
        assertEquals("fixed", page("/fixed/page.txt"));
    }

    @Test
    void isForItsRoleAndForPrivilegedApplications() throws Exception {
        assertEquals(401, send("/manager/text/list", "", null).statusCode());
        assertEquals(403, send("/manager/text/list", "eve:eve", null).statusCode());
        assertEquals(503, send("/other/text/list", "ada:lovelace", null).statusCode());
        assertTrue(Objects.requireNonNull(product)
                .has("which administers the server; the application does not start unless its Context has"
                        + " privileged=\"true\""));
        assertFalse(Objects.requireNonNull(product).has("\tat org.apache"));
    }
}
