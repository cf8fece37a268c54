package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The manager, by an application with the descriptors of Tomcat's, … */
final class ManagerIT {

    private static final String WEB_XML = """
            <web-app version="4.0" metadata-complete="true">
              <servlet><servlet-name>Manager</servlet-name>
                <servlet-class>org.apache.catalina.manager.ManagerServlet</servlet-class>
                <init-param><param-name>debug</param-name><param-value>2</param-value></init-param></servlet>
              <servlet><servlet-name>HTMLManager</servlet-name>
                <servlet-class>org.apache.catalina.manager.HTMLManagerServlet</servlet-class>
                <multipart-config><max-file-size>52428800</max-file-size></multipart-config></servlet>
              <servlet><servlet-name>Status</servlet-name>
                <servlet-class>org.apache.catalina.manager.StatusManagerServlet</servlet-class></servlet>
              <servlet><servlet-name>JMXProxy</servlet-name>
                <servlet-class>org.apache.catalina.manager.JMXProxyServlet</servlet-class></servlet>
              <servlet-mapping><servlet-name>Manager</servlet-name><url-pattern>/text/*</url-pattern></servlet-mapping>
              <servlet-mapping><servlet-name>Status</servlet-name><url-pattern>/status/*</url-pattern></servlet-mapping>
              <servlet-mapping><servlet-name>JMXProxy</servlet-name><url-pattern>/jmxproxy/*</url-pattern>
              </servlet-mapping>
              <servlet-mapping><servlet-name>HTMLManager</servlet-name><url-pattern>/html/*</url-pattern></servlet-mapping>
              <filter><filter-name>CSRF</filter-name>
                <filter-class>org.apache.catalina.filters.CsrfPreventionFilter</filter-class>
                <init-param><param-name>entryPoints</param-name><param-value>/html,/html/,/html/list</param-value>
                </init-param></filter>
              <filter-mapping><filter-name>CSRF</filter-name><servlet-name>HTMLManager</servlet-name></filter-mapping>
              <security-constraint>
                <web-resource-collection><web-resource-name>html</web-resource-name><url-pattern>/html/*</url-pattern>
                </web-resource-collection>
                <auth-constraint><role-name>manager-gui</role-name></auth-constraint>
              </security-constraint>
              <security-constraint>
                <web-resource-collection><web-resource-name>text</web-resource-name><url-pattern>/text/*</url-pattern>
                </web-resource-collection>
                <auth-constraint><role-name>manager-script</role-name></auth-constraint>
              </security-constraint>
              <security-constraint>
                <web-resource-collection><web-resource-name>jmx</web-resource-name><url-pattern>/jmxproxy/*</url-pattern>
                </web-resource-collection>
                <auth-constraint><role-name>manager-jmx</role-name></auth-constraint>
              </security-constraint>
              <security-constraint>
                <web-resource-collection><web-resource-name>status</web-resource-name><url-pattern>/status/*</url-pattern>
                </web-resource-collection>
                <auth-constraint><role-name>manager-gui</role-name><role-name>manager-script</role-name></auth-constraint>
              </security-constraint>
              <login-config><auth-method>BASIC</auth-method><realm-name>Manager</realm-name></login-config>
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
                <tomcat-users><user username="ada" password="lovelace" roles="manager-script,manager-gui,manager-jmx"/>
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
        assertTrue(
                ask("/serverinfo")
                        .startsWith("OK - Server info\nTomcat Version: [Apache Tomcat/9.0.117 compatible, Millrace "),
                ask("/serverinfo"));
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

    // ---- the manager for people

    private String cookie = "";

    /** Posts the form whose address begins like this, with its nonce. */
    private String submit(String html, String action, String type, byte[] body) throws Exception {
        Matcher form = Pattern.compile("action=\"(/manager/html" + Pattern.quote(action) + "[^\"]*)\"")
                .matcher(html);
        assertTrue(form.find(), action + ": " + html);
        HttpRequest request = asAda(form.group(1).replace("&amp;", "&"))
                .header("Content-Type", type)
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer.body());
        rememberSession(answer); // its id changes with the first login in it
        return answer.body();
    }

    private void rememberSession(HttpResponse<String> answer) {
        String value = answer.headers().firstValue("Set-Cookie").orElse(cookie);
        cookie = value.contains(";") ? value.substring(0, value.indexOf(';')) : value;
    }

    private String submit(String html, String action, String fields) throws Exception {
        return submit(html, action, "application/x-www-form-urlencoded", fields.getBytes(StandardCharsets.UTF_8));
    }

    private HttpRequest.Builder asAda(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(Objects.requireNonNull(product).url(path)))
                .timeout(Duration.ofSeconds(60))
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString("ada:lovelace".getBytes(StandardCharsets.UTF_8)));
        return cookie.isEmpty() ? request : request.header("Cookie", cookie);
    }

    private String managerPage() throws Exception {
        HttpResponse<String> answer = client.send(asAda("/manager/html").build(), HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer.body());
        assertTrue(answer.headers()
                .firstValue("Content-Security-Policy")
                .orElse("")
                .contains("form-action 'self'"));
        rememberSession(answer);
        return answer.body();
    }

    private static byte[] multipart(String file, byte[] war) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.write(("--edge\r\nContent-Disposition: form-data; name=\"deployWar\"; filename=\"" + file
                        + "\"\r\nContent-Type: application/octet-stream\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8));
        body.write(war);
        body.write("\r\n--edge--\r\n".getBytes(StandardCharsets.UTF_8));
        return body.toByteArray();
    }

    @Test
    void hasAPageWithAFormForEachAction() throws Exception {
        String html = managerPage();
        assertFalse(html.contains("<script"), html);
        html = submit(
                html, "/upload", "multipart/form-data; boundary=edge", multipart("shop##2.war", war("two", true)));
        assertTrue(html.contains("OK - Deployed application at context path [/shop##2]"), html);
        assertEquals("two", page("/shop/page.txt"));
        page("/shop/session.jsp");
        html = submit(html, "/expire?path=%2Fshop", "idle=0");
        assertTrue(html.contains("Inactive for [&gt;0] minutes: [1] sessions were expired"), html);
        html = submit(html, "/stop?path=%2Fshop", "");
        assertTrue(html.contains("OK - Stopped application at context path [/shop##2]"), html);
        html = submit(html, "/start?path=%2Fshop", "");
        html = submit(html, "/reload?path=%2Fshop", "");
        assertTrue(html.contains("OK - Reloaded application at context path [/shop##2]"), html);
        html = submit(html, "/undeploy?path=%2Fshop", "");
        assertEquals("404", page("/shop/page.txt"));
        Files.write(base.resolve("webapps/there.war"), war("there", true));
        html = submit(html, "/deploy", "deployPath=%2Fhere&deployVersion=&deployConfig=&deployWar=there.war");
        assertTrue(html.contains("OK - Deployed application at context path [/here]"), html);
        assertEquals("there", page("/here/page.txt"));
        for (String action : List.of("/findleaks", "/threaddump", "/sslReload", "/sslConnectorCiphers")) {
            html = submit(html, action, "");
            assertTrue(html.contains("<div class=\"message\">OK - "), html);
        }
        html = submit(html, "/upload", "multipart/form-data; boundary=edge", multipart("note.txt", new byte[1]));
        assertTrue(html.contains("FAIL - File uploaded [note.txt] must be a .war"), html);
    }

    @Test
    void acceptsNoFormWithoutItsNonceAndNoChangeByALink() throws Exception {
        put("path=/shop", war("one", true));
        managerPage();
        HttpResponse<String> refused = client.send(
                asAda("/manager/html/undeploy?path=/shop")
                        .POST(BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertEquals(403, refused.statusCode());
        assertEquals(
                403,
                client.send(asAda("/manager/html/undeploy?path=/shop").build(), HttpResponse.BodyHandlers.ofString())
                        .statusCode());
        Matcher form = Pattern.compile("action=\"(/manager/html/undeploy[^\"]*shop[^\"]*)\"")
                .matcher(managerPage());
        assertTrue(form.find());
        HttpResponse<String> link =
                client.send(asAda(form.group(1).replace("&amp;", "&")).build(), HttpResponse.BodyHandlers.ofString());
        assertTrue(link.body().contains("FAIL - Use a form for [/undeploy]"), link.body());
        assertEquals("one", page("/shop/page.txt"));
    }

    @Test
    void escapesWhatAnApplicationIsCalled() throws Exception {
        file(
                "webapps/odd/WEB-INF/web.xml",
                "<web-app version=\"4.0\"><display-name>&lt;script&gt;</display-name></web-app>");
        ask("/deploy?path=/odd&war=odd");
        String html = managerPage();
        assertTrue(html.contains("&lt;script&gt;") && !html.contains("<script"), html);
    }

    // ---- status and MBeans

    private String document(String path, String type) throws Exception {
        HttpResponse<String> answer = send("/manager" + path, "ada:lovelace", null);
        assertEquals(200, answer.statusCode(), answer.body());
        assertEquals(type, answer.headers().firstValue("Content-Type").orElse(""));
        return answer.body();
    }

    @Test
    void reportsItsStatusInTomcatsForms() throws Exception {
        String xml = document("/status?XML=true", "text/xml;charset=utf-8");
        DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
        assertTrue(xml.contains("<connector name='&quot;http-nio-127.0.0.1-"), xml);
        assertTrue(
                xml.contains("<threadInfo maxThreads=\"200\" currentThreadCount=\"1\" currentThreadsBusy=\"1\"/>"),
                xml);
        assertTrue(xml.contains("currentUri=\"/manager/status\" currentQueryString=\"XML=true\""), xml);
        String json = document("/status/all?JSON=true", "application/json;charset=utf-8");
        assertTrue(json.startsWith("{\"tomcat\":{\n  \"jvm\":{"), json);
        assertTrue(json.contains("\"requestCount\":1,\"errorCount\":0,\"bytesReceived\":0,\"bytesSent\":"), json);
        assertTrue(json.contains("{\"name\":\"localhost/manager\",\"state\":\"STARTED\""), json);
        assertTrue(json.contains("\"sessionCounter\":0,\"maxActive\":0,"), json);
        assertTrue(
                Pattern.compile(
                                "\"servletName\":\"Status\",\"processingTime\":\\d+,\"maxTime\":\\d+,\"requestCount\":1")
                        .matcher(json)
                        .find(),
                json);
        String all = document("/status/all", "text/html;charset=utf-8");
        assertTrue(all.contains("<h2>Servlets</h2>") && all.contains("HTMLManager"), all);
        String html = document("/status", "text/html;charset=utf-8");
        assertTrue(html.contains("GET /manager/status") && !html.contains("<script"), html);
        assertEquals(403, send("/manager/status", "eve:eve", null).statusCode());
    }

    private String jmx(String query) throws Exception {
        return document("/jmxproxy/" + query, "text/plain;charset=utf-8");
    }

    @Test
    void showsAndChangesBeans() throws Exception {
        String memory = jmx("?qry=java.lang:type=Memory");
        assertTrue(
                memory.startsWith("OK - Number of results: 1\n\nName: java.lang:type=Memory\nmodelerType: "), memory);
        assertTrue(memory.contains("\nHeapMemoryUsage: {committed="), memory);
        assertTrue(jmx("").startsWith("OK - Number of results: "));
        String get = "?get=java.lang:type=Memory&att=";
        assertEquals("OK - Attribute get 'java.lang:type=Memory' - Verbose = false\n", jmx(get + "Verbose"));
        assertTrue(jmx(get + "HeapMemoryUsage&key=used")
                .matches("OK - Attribute get 'java.lang:type=Memory' - HeapMemoryUsage - key 'used' = \\d+\n"));
        assertEquals("OK - Attribute set\n", jmx("?set=java.lang:type=Memory&att=Verbose&val=false"));
        assertTrue(Objects.requireNonNull(product)
                .has("Command /jmxproxy for [set java.lang:type=Memory Verbose] by user ada from 127.0.0.1: OK"));
        assertEquals("OK - Operation gc without return value\n", jmx("?invoke=java.lang:type=Memory&op=gc"));
        assertTrue(jmx("?invoke=java.lang:type=Threading&op=getThreadCpuTime&ps=1")
                .matches("OK - Operation getThreadCpuTime returned:\n-?\\d+\n"));
        for (String wrong : List.of(
                "?get=a:type=b&att=c",
                get + "Nope",
                get + "Verbose&key=x",
                "?get=a",
                "?set=java.lang:type=Memory&att=Nope",
                "?invoke=java.lang:type=Memory&op=nope",
                "?invoke=java.lang:type=Threading&op=getThreadCpuTime&ps=x",
                "?qry=a")) {
            String answer = jmx(wrong);
            assertTrue(answer.startsWith("Error - ") && answer.lines().count() == 1, answer);
        }
        assertEquals(403, send("/manager/jmxproxy/", "eve:eve", null).statusCode());
    }

    /** They are there since the servlet can read them; the operations change what the text interface shows. */
    @Test
    void showsItsOwnBeansUnderTomcatsNames() throws Exception {
        String all = jmx("?qry=Catalina:*");
        for (String name : List.of(
                "type=Server",
                "type=ThreadPool,name=\"http-nio-127.0.0.1-",
                "type=GlobalRequestProcessor,name=\"http-nio-127.0.0.1-",
                "type=Deployer,host=localhost",
                "type=Manager,host=localhost,context=/manager",
                "j2eeType=WebModule,name=//localhost/fixed,J2EEApplication=none,J2EEServer=none",
                "j2eeType=Servlet,WebModule=//localhost/manager,name=JMXProxy,J2EEApplication=none,J2EEServer=none")) {
            assertTrue(all.contains("\nName: Catalina:" + name), name + " in " + all);
        }
        String module =
                "?invoke=Catalina:j2eeType=WebModule,name=//localhost/fixed,J2EEApplication=none,J2EEServer=none";
        assertEquals("OK - Operation reload without return value\n", jmx(module + "&op=reload"));
        Objects.requireNonNull(product)
                .awaitLine("MILLRACE0011: Operation reload of the MBean Catalina:j2eeType=WebModule");

        String deployer = "?invoke=Catalina:type=Deployer,host=localhost&ps=/added&op=";
        jmx(deployer + "addServiced");
        assertTrue(jmx(deployer + "isServiced").contains("returned:\ntrue"));
        file("webapps/added/page.txt", "added");
        jmx(deployer + "check");
        assertTrue(jmx(deployer + "isDeployed").contains("returned:\nfalse"));
        jmx(deployer + "removeServiced");
        jmx(deployer + "check");
        assertTrue(jmx(deployer + "isDeployed").contains("returned:\ntrue"));
        assertTrue(jmx("?qry=Catalina:type=Manager,*").contains("context=/added"));
        Files.delete(base.resolve("webapps/added/page.txt"));
        Files.delete(base.resolve("webapps/added"));
        jmx(deployer + "check");
        assertTrue(jmx(deployer + "isDeployed").contains("returned:\nfalse"));
        assertFalse(jmx("?qry=Catalina:type=Manager,*").contains("context=/added"));
        assertTrue(jmx("?invoke=Catalina:type=Deployer,host=localhost&op=check&ps=added")
                .startsWith("Error - "));
    }
}
