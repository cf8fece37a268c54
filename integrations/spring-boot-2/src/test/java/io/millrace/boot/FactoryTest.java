package io.millrace.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.TestTls;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.web.server.Compression;
import org.springframework.boot.web.server.ErrorPage;
import org.springframework.boot.web.server.GracefulShutdownResult;
import org.springframework.boot.web.server.Http2;
import org.springframework.boot.web.server.MimeMappings;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.Shutdown;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.SslStoreProvider;
import org.springframework.boot.web.server.WebServerException;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.boot.web.servlet.server.CookieSameSiteSupplier;
import org.springframework.core.env.AbstractEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.http.HttpStatus;
import org.springframework.util.unit.DataSize;

/** A server of Spring Boot that the factory makes … */
@Timeout(60)
final class FactoryTest {

    private static final String BIG = "a text that is worth being compressed ".repeat(200);

    @TempDir
    Path directory = Path.of("");

    private final MillraceServletWebServerFactory factory = new MillraceServletWebServerFactory(0);
    private final MapEnvironment environment = new MapEnvironment();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch finish = new CountDownLatch(1);
    private @Nullable MillraceWebServer started;

    @AfterEach
    void stop() {
        finish.countDown();
        if (started != null) {
            started.stop();
        }
    }

    /** Without the properties of this process. */
    private static final class MapEnvironment extends AbstractEnvironment {

        void setProperty(String name, String value) {
            getPropertySources().addLast(new MapPropertySource(name, Map.of(name, value)));
        }
    }

    /** Answers by its path. */
    private final class Pages extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            switch (String.valueOf(request.getServletPath())) {
                case "/big" -> {
                    response.setContentType("text/plain");
                    response.getWriter().print(BIG);
                }
                case "/cookies" -> {
                    request.getSession();
                    response.addCookie(new Cookie("mine", "1"));
                }
                case "/slow" -> {
                    entered.countDown();
                    try {
                        finish.await(30, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                }
                case "/fail" -> throw new IllegalArgumentException("planted");
                case "/error" -> response.getWriter().print("error page");
                default ->
                    response.getWriter()
                            .print(request.getScheme() + " " + request.getRemoteAddr() + " "
                                    + request.getSession().getMaxInactiveInterval() + " "
                                    + getServletContext().getMimeType("x.thing") + " "
                                    + getServletContext().getServletContextName());
            }
        }
    }

    private ServletContextInitializer pages() {
        return context -> context.addServlet("pages", new Pages())
                .addMapping("/plain", "/big", "/cookies", "/slow", "/fail", "/error");
    }

    private MillraceWebServer start() {
        factory.setEnvironment(environment);
        MillraceWebServer server = (MillraceWebServer) factory.getWebServer(pages());
        started = server;
        server.start();
        return server;
    }

    private static HttpResponse<String> get(HttpClient client, MillraceWebServer server, String path, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getPort() + path));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(MillraceWebServer server, String path, String... headers)
            throws IOException, InterruptedException {
        return get(HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(), server, path, headers);
    }

    @Test
    void hasWhatTheFactoryWasTold() throws Exception {
        factory.setContextPath("/app");
        factory.setDisplayName("the shop");
        factory.setServerHeader("mine");
        factory.setAddress(InetAddress.getLoopbackAddress());
        MimeMappings types = new MimeMappings();
        types.add("thing", "text/thing");
        factory.setMimeMappings(types);
        factory.getSession().setTimeout(Duration.ofSeconds(150));
        MillraceWebServer server = start();
        HttpResponse<String> answer = get(server, "/app/plain");
        assertEquals("http 127.0.0.1 120 text/thing the shop", answer.body());
        assertEquals("mine", answer.headers().firstValue("Server").orElse(""));
        assertEquals(404, get(server, "/app/other").statusCode());
        assertEquals(404, get(server, "/plain").statusCode());
    }

    @Test
    void showsErrorPages() throws Exception {
        factory.addErrorPages(new ErrorPage(HttpStatus.NOT_FOUND, "/error"));
        factory.addErrorPages(new ErrorPage(IllegalArgumentException.class, "/error"));
        MillraceWebServer server = start();
        HttpResponse<String> missing = get(server, "/nothing");
        assertEquals("404 error page", missing.statusCode() + " " + missing.body());
        HttpResponse<String> failed = get(server, "/fail");
        assertEquals("500 error page", failed.statusCode() + " " + failed.body());
    }

    @Test
    void compressesByTypeAndAgent() throws Exception {
        Compression compression = new Compression();
        compression.setEnabled(true);
        compression.setMimeTypes(new String[] {"text/plain"});
        compression.setMinResponseSize(DataSize.ofBytes(1000));
        compression.setExcludedUserAgents(new String[] {"old"});
        factory.setCompression(compression);
        MillraceWebServer server = start();
        assertEquals(
                "gzip",
                get(server, "/big", "Accept-Encoding", "gzip")
                        .headers()
                        .firstValue("Content-Encoding")
                        .orElse(""));
        assertEquals(
                BIG,
                get(server, "/big", "Accept-Encoding", "gzip", "User-Agent", "an old one")
                        .body());
    }

    @Test
    void givesCookiesTheirSameSite() throws Exception {
        factory.getSession().getCookie().setName("SID");
        factory.getSession().getCookie().setSameSite(org.springframework.boot.web.server.Cookie.SameSite.STRICT);
        factory.addCookieSameSiteSuppliers(CookieSameSiteSupplier.ofLax().whenHasName("mine"));
        List<String> cookies = get(start(), "/cookies").headers().allValues("Set-Cookie");
        assertTrue(cookies.contains("mine=1; SameSite=Lax"), cookies.toString());
        assertTrue(
                cookies.stream().anyMatch(cookie -> cookie.startsWith("SID=") && cookie.endsWith("SameSite=Strict")),
                cookies.toString());
    }

    @Test
    void keepsSessionsOverARestart() throws Exception {
        factory.getSession().setPersistent(true);
        factory.getSession()
                .setStoreDir(
                        Files.createDirectory(directory.resolve("sessions")).toFile());
        String id = get(start(), "/cookies")
                .headers()
                .allValues("Set-Cookie")
                .toString()
                .replaceAll(".*(JSESSIONID=[^;]*).*", "$1");
        stop();
        HttpResponse<String> again = get(start(), "/cookies", "Cookie", id);
        assertFalse(again.headers().allValues("Set-Cookie").toString().contains("JSESSIONID"), id);
    }

    @Test
    void servesTheDocumentRootOnlyIfItHasADefaultServlet() throws Exception {
        Files.writeString(directory.resolve("page.html"), "<p>page");
        factory.setDocumentRoot(directory.toFile());
        MillraceWebServer without = start();
        assertEquals(404, get(without, "/page.html").statusCode());
        without.stop();
        factory.setRegisterDefaultServlet(true);
        assertEquals("<p>page", get(start(), "/page.html").body());
    }

    @Test
    void findsResourcesOfAWarThatIsTheDocumentRoot() throws Exception {
        Path war = directory.resolve("shop.war");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
            zip.putNextEntry(new ZipEntry("page.html"));
            zip.write("<p>packed".getBytes(UTF_8));
            zip.putNextEntry(new ZipEntry("WEB-INF/secret.txt"));
            zip.write("secret".getBytes(UTF_8));
        }
        factory.setDocumentRoot(war.toFile());
        factory.setRegisterDefaultServlet(true);
        MillraceWebServer server = start();
        assertEquals("<p>packed", get(server, "/page.html").body());
        assertEquals(404, get(server, "/WEB-INF/secret.txt").statusCode());
    }

    @Test
    void speaksHttp2WithoutTls() throws Exception {
        Http2 http2 = new Http2();
        http2.setEnabled(true);
        factory.setHttp2(http2);
        MillraceWebServer server = start();
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
        get(client, server, "/plain"); // upgrades
        assertEquals(HttpClient.Version.HTTP_2, get(client, server, "/plain").version());
        assertEquals(HttpClient.Version.HTTP_1_1, get(server, "/plain").version());
    }

    private static String secure(MillraceWebServer server) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        KeyStore own = TestTls.keyStore();
        trusted.setCertificateEntry("server", own.getCertificate(own.aliases().nextElement()));
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        TrustManager[] managers = factory.getTrustManagers();
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers, new SecureRandom());
        HttpResponse<String> answer = HttpClient.newBuilder()
                .sslContext(context)
                .build()
                .send(
                        HttpRequest.newBuilder(URI.create("https://localhost:" + server.getPort() + "/plain"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        return answer.version() + " " + answer.body().split(" ", 2)[0];
    }

    @Test
    void servesHttpsWithAKeyStoreFileAndHttp2() throws Exception {
        Path file = directory.resolve("keys.p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            TestTls.keyStore().store(out, TestTls.PASSWORD.toCharArray());
        }
        Ssl ssl = new Ssl();
        ssl.setKeyStore(file.toUri().toString());
        ssl.setKeyStorePassword(TestTls.PASSWORD);
        ssl.setKeyStoreType("PKCS12");
        factory.setSsl(ssl);
        Http2 http2 = new Http2();
        http2.setEnabled(true);
        factory.setHttp2(http2);
        assertEquals("HTTP_2 https", secure(start()));
    }

    @Test
    void servesHttpsWithPemFiles() throws Exception {
        Path certificate = directory.resolve("cert.pem");
        Path key = directory.resolve("key.pem");
        TestTls.writePem(certificate, key);
        Ssl ssl = new Ssl();
        ssl.setCertificate(certificate.toUri().toString());
        ssl.setCertificatePrivateKey(key.toUri().toString());
        factory.setSsl(ssl);
        assertEquals("HTTP_1_1 https", secure(start()));
    }

    @Test
    void servesHttpsWithAStoreProviderAndAsksForClientsCertificates() throws Exception {
        Ssl ssl = new Ssl();
        ssl.setKeyPassword(TestTls.PASSWORD);
        ssl.setClientAuth(Ssl.ClientAuth.WANT);
        factory.setSsl(ssl);
        factory.setSslStoreProvider(new SslStoreProvider() {
            @Override
            public KeyStore getKeyStore() throws Exception {
                return TestTls.keyStore();
            }

            @Override
            public KeyStore getTrustStore() throws Exception {
                KeyStore trusted = KeyStore.getInstance("PKCS12");
                trusted.load(null, null);
                KeyStore own = getKeyStore();
                trusted.setCertificateEntry(
                        "partner", own.getCertificate(own.aliases().nextElement()));
                return trusted;
            }
        });
        assertEquals("HTTP_1_1 https", secure(start()));
    }

    @Test
    void saysWhichStoreCannotBeLoaded() {
        Ssl ssl = new Ssl();
        ssl.setKeyStore("classpath:missing.p12");
        factory.setSsl(ssl);
        WebServerException failure = assertThrows(WebServerException.class, this::start);
        assertTrue(
                String.valueOf(failure.getMessage())
                        .startsWith("server.ssl.key-store classpath:missing.p12 cannot be loaded: "),
                failure.getMessage());
    }

    @Test
    void namesThePortThatIsInUseAndCanBeStopped() {
        MillraceWebServer first = start();
        MillraceServletWebServerFactory second = new MillraceServletWebServerFactory(first.getPort());
        MillraceWebServer other = (MillraceWebServer) second.getWebServer(pages());
        PortInUseException failure = assertThrows(PortInUseException.class, other::start);
        assertEquals(first.getPort(), failure.getPort());
        other.stop();
    }

    @Test
    void hasNoPortIfToldSo() {
        factory.setPort(-1);
        MillraceWebServer server = start();
        assertEquals(-1, server.getPort());
        assertNull(server.server());
    }

    private CompletableFuture<GracefulShutdownResult> shutDown(MillraceWebServer server) {
        CompletableFuture<GracefulShutdownResult> result = new CompletableFuture<>();
        server.shutDownGracefully(result::complete);
        return result;
    }

    private CompletableFuture<HttpResponse<String>> slow(MillraceWebServer server) throws InterruptedException {
        CompletableFuture<HttpResponse<String>> answer = HttpClient.newHttpClient()
                .sendAsync(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getPort() + "/slow"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertTrue(entered.await(20, TimeUnit.SECONDS));
        return answer;
    }

    @Test
    void waitsForRequestsWhenItShutsDown() throws Exception {
        factory.setShutdown(Shutdown.GRACEFUL);
        MillraceWebServer server = start();
        CompletableFuture<HttpResponse<String>> running = slow(server);
        CompletableFuture<GracefulShutdownResult> result = shutDown(server);
        assertFalse(result.isDone());
        finish.countDown();
        assertEquals(200, running.get(20, TimeUnit.SECONDS).statusCode());
        assertEquals(GracefulShutdownResult.IDLE, result.get(20, TimeUnit.SECONDS));
    }

    @Test
    void saysThatRequestsWereActiveIfItIsStoppedMeanwhile() throws Exception {
        factory.setShutdown(Shutdown.GRACEFUL);
        MillraceWebServer server = start();
        CompletableFuture<HttpResponse<String>> running = slow(server);
        CompletableFuture<GracefulShutdownResult> result = shutDown(server);
        server.stop();
        assertEquals(GracefulShutdownResult.REQUESTS_ACTIVE, result.get(20, TimeUnit.SECONDS));
        assertThrows(Exception.class, () -> running.get(20, TimeUnit.SECONDS));
    }

    @Test
    void shutsDownAtOnceUnlessToldToWait() throws Exception {
        assertEquals(GracefulShutdownResult.IMMEDIATE, shutDown(start()).get(20, TimeUnit.SECONDS));
    }

    @Test
    void reportsTheClientOfATrustedFrontEnd() throws Exception {
        environment.setProperty("server.forward-headers-strategy", "native");
        String body = get(start(), "/plain", "X-Forwarded-For", "192.0.2.1", "X-Forwarded-Proto", "https")
                .body();
        assertTrue(body.startsWith("https 192.0.2.1 "), body);
    }

    @Test
    void trustsAFrontEndWithoutAStrategyOnlyIfTheFieldOfTheAddressOrTheSchemeIsNamed() {
        assertFalse(trusts("server.tomcat.remoteip.internal-proxies", "10\\..*"));
        assertFalse(trusts("server.tomcat.remoteip.remote-ip-header", ""));
        assertFalse(trusts("server.millrace.remoteip.port-header", "X-Forwarded-Port"));
        assertTrue(trusts("server.tomcat.remoteip.remote-ip-header", "X-Real-IP"));
        assertTrue(trusts("server.millrace.remoteip.protocol-header", "X-Forwarded-Proto"));
    }

    private static boolean trusts(String property, String value) {
        MapEnvironment alone = new MapEnvironment();
        alone.setProperty("server.forward-headers-strategy", "none");
        alone.setProperty(property, value);
        return MillraceSettings.read(alone).hasRemoteIp();
    }

    @Test
    void refusesSizesThatAreTooLargeByTheNamesOfTheirProperties() {
        Compression compression = new Compression();
        compression.setEnabled(true);
        compression.setMinResponseSize(DataSize.ofGigabytes(3));
        factory.setCompression(compression);
        String message =
                String.valueOf(assertThrows(RuntimeException.class, this::start).getMessage());
        assertTrue(message.contains("server.compression.min-response-size"), message);
    }

    @Test
    void readsItsOwnPropertiesAndThoseOfOthers() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("server.millrace.threads.max", "7");
        properties.put("server.millrace.connection-timeout", "5s");
        properties.put("server.millrace.max-http-form-post-size", "3MB");
        properties.put("server.millrace.uri-encoding", "ISO-8859-1");
        properties.put("server.tomcat.threads.max", "9");
        properties.put("server.tomcat.max-connections", "123");
        properties.put("server.tomcat.basedir", "/srv");
        properties.put("server.undertow.threads.io", "2");
        properties.forEach(environment::setProperty);
        MillraceSettings read = MillraceSettings.read(environment);
        assertEquals(7, read.number(MillraceSettings.MAX_THREADS));
        var settings = read.connector(io.millrace.settings.Settings.DEFAULTS);
        assertEquals(Duration.ofSeconds(5), settings.get(io.millrace.protocol.ProtocolOptions.CONNECTION_TIMEOUT));
        assertEquals(3L * 1024 * 1024, settings.get(io.millrace.servlet.settings.ServletOptions.MAX_POST_SIZE));
        assertEquals(123, settings.get(io.millrace.io.TransportOptions.MAX_CONNECTIONS));
        assertEquals(2, settings.get(io.millrace.io.TransportOptions.IO_THREADS));
        assertEquals(
                List.of(
                        "server.tomcat.max-connections (server.millrace.max-connections)",
                        "server.undertow.threads.io (server.millrace.io-threads)"),
                read.used());
        assertEquals(List.of("server.tomcat.threads.max", "server.tomcat.basedir"), read.ignored());
    }

    @Test
    void refusesPropertiesThatItDoesNotHave() {
        environment.setProperty("server.millrace.acept-count", "5");
        IllegalArgumentException unknown = assertThrows(IllegalArgumentException.class, this::start);
        assertTrue(
                String.valueOf(unknown.getMessage()).startsWith("There is no property server.millrace.acept-count: "),
                unknown.getMessage());
    }

    @Test
    void refusesValuesThatAPropertyCannotHave() {
        environment.setProperty("server.millrace.accept-count", "many");
        IllegalArgumentException wrong = assertThrows(IllegalArgumentException.class, this::start);
        assertTrue(
                String.valueOf(wrong.getMessage()).startsWith("server.millrace.accept-count is \"many\"; expected "),
                wrong.getMessage());
    }

    @Test
    void passesTheFailureOfAnInitializerOn() {
        factory.setEnvironment(environment);
        IllegalStateException failure = new IllegalStateException("planted");
        ServletContextInitializer failing = context -> {
            throw failure;
        };
        RuntimeException thrown = assertThrows(RuntimeException.class, () -> factory.getWebServer(failing));
        assertInstanceOf(IllegalStateException.class, thrown);
        assertEquals("planted", thrown.getMessage());
    }
}
