package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.NeedsConnector;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers behind one httpd, as the user guide says, on each transport … */
@NeedsConnector("ajp")
@NullUnmarked
final class HttpdBalancingIT {

    private static final List<String> MODULES = List.of("ajp", "jk", "ajp-https", "jk-https");

    private final Map<String, Httpd> fronts = new LinkedHashMap<>();

    @TempDir
    private Path base = Path.of("");

    private ProbeServer one;
    private ProbeServer two;

    @BeforeEach
    void start() throws Exception {
        // httpd's own processes have another user
        base.toFile().setExecutable(true, false);
        base.toFile().setReadable(true, false);
        Snippets guide = Snippets.of("behind-httpd.md");
        CertificateAuthority authority = new CertificateAuthority(base.resolve("certs"));
        authority.makeEc("front", "localhost", "localhost");
        Product first = launch("one", guide);
        two = new ProbeServer(launch("two", guide));
        one = new ProbeServer(first);
        first.awaitStart();
        two.product().awaitStart();
        for (int i = 0; i < AllTransports.TRANSPORTS.size(); i++) {
            String transport = AllTransports.TRANSPORTS.get(i);
            int port = HttpdFronts.ajpPort(one, i);
            fronts.put(transport, before(transport, guide, authority, port, HttpdFronts.ajpPort(two, i)));
        }
        fronts.values().forEach(Httpd::awaitReady);
    }

    @AfterEach
    void stop() {
        fronts.values().forEach(Httpd::close);
        one.close();
        two.close();
    }

    @Test
    void keepSessionsWhereTheyBeganAndStandInForOneThatWasKilled() throws Exception {
        for (Httpd front : fronts.values()) {
            for (String module : MODULES) {
                String route = assertSticks(front, module);
                assertTrue(route.equals("one") || route.equals("two"), route);
            }
        }
        one.close();
        for (Httpd front : fronts.values()) {
            for (String module : MODULES) {
                for (int i = 0; i < 4; i++) {
                    assertEquals("two", routeOf(front, module, "abc.one"));
                }
                assertEquals("two", assertSticks(front, module));
            }
        }
    }

    /** Where the module still has open connections to one that stops, their pings are not answered any more. */
    @Test
    void standInForOneThatFinishesItsRequestsAndStops() throws Exception {
        Path file = base.resolve("until");
        List<BufferedReader> running = new ArrayList<>();
        for (Httpd front : fronts.values()) {
            for (String module : MODULES) {
                assertEquals("one", routeOf(front, module, "abc.one"));
                running.add(begin(front, module, file));
            }
        }
        one.product().terminate().awaitLine("MILLRACE0003");
        for (Httpd front : fronts.values()) {
            for (String module : MODULES) {
                assertEquals("two", routeOf(front, module, "abc.one"));
            }
        }
        Files.createFile(file);
        for (BufferedReader answer : running) {
            assertEquals("second", answer.readLine());
            assertEquals(null, answer.readLine());
        }
        assertEquals(0, one.product().exitStatus(), one.product().output());
    }

    /** A request on the first server that has begun to be answered. */
    private static BufferedReader begin(Httpd front, String module, Path until) throws Exception {
        Process curl =
                Curl.start("-N", "-b", "JSESSIONID=abc.one", "-k", url(front, module, "/relayed/parts?until=" + until));
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(curl.getInputStream(), StandardCharsets.US_ASCII));
        assertEquals("first", lines.readLine());
        return lines;
    }

    /** The route of a new session, which counts three requests of its own. */
    private static String assertSticks(Httpd front, String module) throws Exception {
        String first = ask(front, module, "");
        String id = first.split(" ", 3)[1];
        assertEquals("session " + id + " 1", first.strip());
        assertEquals("session " + id + " 2", ask(front, module, id).strip());
        assertEquals("session " + id + " 3", ask(front, module, id).strip());
        return route(first);
    }

    private static String routeOf(Httpd front, String module, String session) throws Exception {
        return route(ask(front, module, session));
    }

    private static String ask(Httpd front, String module, String session) throws Exception {
        String url = url(front, module, "/relayed/session");
        return session.isEmpty() ? Curl.run("-k", url) : Curl.run("-k", "-b", "JSESSIONID=" + session, url);
    }

    private static String url(Httpd front, String module, String path) {
        return (module.endsWith("-https") ? "https" : "http") + "://localhost:" + front.port(module) + path;
    }

    private static String route(String answer) {
        return answer.replaceAll("(?s).*\\.(\\w+) .*", "$1");
    }

    private Product launch(String route, Snippets guide) throws Exception {
        Path directory = base.resolve(route);
        ProbeServer.prepare(directory, HttpdFronts.onEachTransport(guide), "<Host name='localhost'/>", "");
        Path file = directory.resolve("conf/server.xml");
        Files.writeString(file, Files.readString(file).replace("<Engine ", "<Engine jvmRoute='" + route + "' "));
        return Product.launch("start", "--base=" + directory);
    }

    private Httpd before(String transport, Snippets guide, CertificateAuthority authority, int one, int two)
            throws Exception {
        // a second is not enough on a machine with a lot to do
        String balancer = ports(guide.get("proxy-balancer"), one, two).replace("ping=1 ", "ping=5 ");
        return new Httpd.Builder(base.resolve("httpd-" + transport))
                .file("workers.properties", ports(guide.get("jk-balancer"), one, two))
                .global(guide.get("jk"))
                .plain("jk", "JkMountCopy On")
                .plain("ajp", balancer)
                .tls("jk-https", authority, "JkMountCopy On")
                .tls("ajp-https", authority, balancer.replace("//millrace", "//millrace-https"))
                .start();
    }

    private static String ports(String snippet, int one, int two) {
        return snippet.replace("8009", String.valueOf(one)).replace("8010", String.valueOf(two));
    }
}
