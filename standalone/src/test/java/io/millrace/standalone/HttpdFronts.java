package io.millrace.standalone;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One Millrace with an AJP connector on each transport, and a httpd before each, set up as the user guide says. */
final class HttpdFronts implements AutoCloseable {

    private static final Map<String, String> PROTOCOLS = Map.of(
            "apr", "org.apache.coyote.ajp.AjpAprProtocol",
            "bio", "org.apache.coyote.ajp.AjpProtocol",
            "nio", "AJP/1.3",
            "nio2", "org.apache.coyote.ajp.AjpNio2Protocol");

    /** Behind those of the transports. */
    private static final int TRUSTING = AllTransports.TRANSPORTS.size();

    private static final int AUTHORIZING = TRUSTING + 1;

    private static final String FILES = "webapps/files";
    private static final int LARGE = 5_000_003;

    private final CertificateAuthority authority;
    private final ProbeServer server;
    private final Map<String, Httpd> fronts;

    private HttpdFronts(CertificateAuthority authority, ProbeServer server, Map<String, Httpd> fronts) {
        this.authority = authority;
        this.server = server;
        this.fronts = fronts;
    }

    static HttpdFronts start(Path base) throws Exception {
        Snippets guide = Snippets.of("behind-httpd.md");
        CertificateAuthority authority = new CertificateAuthority(base.resolve("certs"));
        authority.makeEc("front", "localhost", "localhost");
        authority.makeEc("client", "client of a test");
        Files.writeString(
                Files.createDirectories(base.resolve("conf")).resolve("tomcat-users.xml"),
                "<tomcat-users><user username='ann' password='-' roles='clerk'/></tomcat-users>");
        writeFiles(base);
        ProbeServer server = ProbeServer.serving(
                base,
                connectors(guide),
                guide.get("valve")
                        + "<Realm className='org.apache.catalina.realm.MemoryRealm'/><Host name='localhost'/>");
        Map<String, Httpd> fronts = new LinkedHashMap<>();
        try {
            for (String transport : AllTransports.TRANSPORTS) {
                fronts.put(transport, before(transport, server, guide, authority, base));
            }
            fronts.put("users", withUsers(server, guide, base));
            for (Httpd front : fronts.values()) {
                front.awaitReady();
            }
        } catch (Exception | Error failed) {
            fronts.values().forEach(Httpd::close);
            server.close();
            throw failed;
        }
        return new HttpdFronts(authority, server, fronts);
    }

    /** For an application of files alone. */
    private static void writeFiles(Path base) throws IOException {
        byte[] large = new byte[LARGE];
        for (int i = 0; i < LARGE; i++) {
            large[i] = (byte) (i / 1000 + i);
        }
        Path files = Files.createDirectories(base.resolve(FILES));
        Files.write(files.resolve("large"), large);
        Files.write(files.resolve("small"), Arrays.copyOf(large, 500));
        Files.write(files.resolve("empty"), new byte[0]);
    }

    /** What is served as {@code /files/large} and so on. */
    static Path file(Path base, String name) {
        return base.resolve(FILES).resolve(name);
    }

    /** The guide's connector on each of them, in their order. */
    static String onEachTransport(Snippets guide) {
        StringBuilder connectors = new StringBuilder();
        for (String transport : AllTransports.TRANSPORTS) {
            connectors.append(connector(guide).replace("AJP/1.3", PROTOCOLS.get(transport)));
        }
        return connectors.toString();
    }

    private static String connector(Snippets guide) {
        return guide.get("connector").replace("8009", "0");
    }

    private static String connectors(Snippets guide) {
        String snippet = connector(guide);
        StringBuilder connectors = new StringBuilder(onEachTransport(guide));
        connectors.append(snippet.replace(
                "/>",
                "tomcatAuthentication='false' allowedRequestAttributesPattern='shop\\..*' packetSize='65536' />"));
        connectors.append(snippet.replace("/>", "tomcatAuthorization='true' />"));
        return connectors.append("<Connector port='0' address='127.0.0.1'/>").toString();
    }

    private static Httpd before(
            String transport, ProbeServer server, Snippets guide, CertificateAuthority authority, Path base)
            throws Exception {
        String port = String.valueOf(ajpPort(server, AllTransports.TRANSPORTS.indexOf(transport)));
        String http = String.valueOf(server.port(0));
        String proxy = guide.get("proxy-ajp").replace("8009", port);
        String ssl = guide.get("ssl");
        String worker = guide.get("workers").replace("8009", port);
        String impostor = worker.replace("millrace", "impostor").replace("change-me", "wrong");
        String stranger = worker.replace("millrace", "stranger").replaceAll("(?m)^.*secret.*$", "");
        String wrong = proxy.replace("change-me", "wrong");
        String none = proxy.replace("secret=change-me", "");
        return new Httpd.Builder(base.resolve("httpd-" + transport))
                .file("workers.properties", worker + impostor + stranger)
                .global(guide.get("jk"))
                .plain("jk-http", "JkMountCopy On")
                .tls("jk-https", authority, "JkMountCopy On\n" + ssl)
                .plain("ajp-http", proxy)
                .tls("ajp-https", authority, proxy + ssl)
                .plain("jk-wrong-secret-http", "JkMount \"/*\" impostor")
                .tls("jk-wrong-secret-https", authority, "JkMount \"/*\" impostor")
                .plain("jk-no-secret-http", "JkMount \"/*\" stranger")
                .tls("jk-no-secret-https", authority, "JkMount \"/*\" stranger")
                .plain("ajp-wrong-secret-http", wrong)
                .tls("ajp-wrong-secret-https", authority, wrong)
                .plain("ajp-no-secret-http", none)
                .tls("ajp-no-secret-https", authority, none)
                .plain("attribute", "SetEnv AJP_shop.note hello\n" + proxy)
                .plain("http-http", guide.get("proxy-http").replace("8080", http))
                .tls("http-https", authority, guide.get("proxy-http").replace("8080", http))
                .start();
    }

    private static Httpd withUsers(ProbeServer server, Snippets guide, Path base) throws Exception {
        String proxy = guide.get("proxy-ajp");
        String login = """
                <Location "/">
                    AuthType Basic
                    AuthName test
                    AuthUserFile users
                    Require valid-user
                </Location>
                """;
        String trusting = proxy.replace("8009", String.valueOf(ajpPort(server, TRUSTING)));
        String authorizing = proxy.replace("8009", String.valueOf(ajpPort(server, AUTHORIZING)));
        String large = "LimitRequestFieldSize 65536\n";
        return new Httpd.Builder(base.resolve("httpd-users"))
                .file("workers.properties", worker(guide, server) + "worker.millrace.max_packet_size=65536\n")
                .file("users", user("ann") + user("bob"))
                .global(guide.get("jk"))
                .plain("trusted", login + large + "SetEnv AJP_shop.note hello\nProxyIOBufferSize 65536\n" + trusting)
                .plain("trusted-jk", login + large + "JkMountCopy On")
                .plain("authorized", login + authorizing)
                .start();
    }

    private static String worker(Snippets guide, ProbeServer server) {
        return guide.get("workers").replace("8009", String.valueOf(ajpPort(server, TRUSTING)));
    }

    private static String user(String name) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-1").digest("pw".getBytes(StandardCharsets.US_ASCII));
        return name + ":{SHA}" + Base64.getEncoder().encodeToString(digest) + "\n";
    }

    /** As the log says where they are listened on, in the order of the file. */
    static int ajpPort(ProbeServer server, int connector) {
        List<Integer> ports = new ArrayList<>();
        for (String line : server.product().lines()) {
            int at = line.indexOf("ajp://127.0.0.1:");
            if (at >= 0) {
                ports.add(Integer.valueOf(line.substring(at + 16).replaceAll("\\D.*", "")));
            }
        }
        return ports.get(connector);
    }

    ProbeServer server() {
        return server;
    }

    CertificateAuthority authority() {
        return authority;
    }

    int port(String httpd, String name) {
        return front(httpd).port(name);
    }

    /** What a client of httpd gets. */
    String curl(String httpd, String name, String path, String... arguments) throws Exception {
        try {
            return Curl.run(command(httpd, name, path, arguments));
        } catch (AssertionError failed) {
            throw new AssertionError(failed.getMessage() + "\n" + front(httpd).log(), failed);
        }
    }

    /** A client that prints what it gets as it comes. */
    Process begin(String httpd, String name, String path) throws Exception {
        return Curl.start(command(httpd, name, path, "-N"));
    }

    private String[] command(String httpd, String name, String path, String... arguments) {
        List<String> all = new ArrayList<>(List.of("--cacert", authority.root().toString()));
        all.addAll(List.of(arguments));
        String scheme = name.endsWith("-https") ? "https" : "http";
        all.add(scheme + "://localhost:" + port(httpd, name) + path);
        return all.toArray(String[]::new);
    }

    private Httpd front(String name) {
        Httpd front = fronts.get(name);
        if (front == null) {
            throw new AssertionError("no httpd " + name);
        }
        return front;
    }

    @Override
    public void close() {
        fronts.values().forEach(Httpd::close);
        server.close();
    }
}
