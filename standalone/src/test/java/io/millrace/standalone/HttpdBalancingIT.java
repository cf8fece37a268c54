package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers behind one httpd, as the user guide says … */
final class HttpdBalancingIT {

    @TempDir
    private Path base = Path.of("");

    @Test
    void keepSessionsWhereTheyBeganAndStandInForEachOther() throws Exception {
        base.toFile().setExecutable(true, false);
        base.toFile().setReadable(true, false);
        Snippets guide = Snippets.of("behind-httpd.md");
        try (ProbeServer one = server("one", guide);
                ProbeServer two = server("two", guide);
                Httpd httpd = balancer(guide, HttpdFronts.ajpPort(one, 0), HttpdFronts.ajpPort(two, 0))) {
            for (String module : List.of("ajp", "jk")) {
                String route = assertSticks(httpd, module);
                assertTrue(route.equals("one") || route.equals("two"), route);
            }
            ProcessHandle killed = ProcessHandle.of(one.product().pid()).orElseThrow();
            killed.destroyForcibly();
            Deadline.await(killed.onExit());
            for (String module : List.of("ajp", "jk")) {
                for (int i = 0; i < 4; i++) {
                    assertEquals("two", route(ask(httpd, module, "abc.one")));
                }
                assertEquals("two", assertSticks(httpd, module));
            }
        }
    }

    /** The route of a new session, which counts three requests of its own. */
    private String assertSticks(Httpd httpd, String module) throws Exception {
        String first = ask(httpd, module, "");
        String id = first.split(" ", 3)[1];
        assertEquals("session " + id + " 1", first.strip());
        assertEquals("session " + id + " 2", ask(httpd, module, id).strip());
        assertEquals("session " + id + " 3", ask(httpd, module, id).strip());
        return route(first);
    }

    private static String ask(Httpd httpd, String module, String session) throws Exception {
        String url = "http://localhost:" + httpd.port(module) + "/relayed/session";
        return session.isEmpty() ? Curl.run(url) : Curl.run("-b", "JSESSIONID=" + session, url);
    }

    private static String route(String answer) {
        return answer.replaceAll("(?s).*\\.(\\w+) .*", "$1");
    }

    private ProbeServer server(String route, Snippets guide) throws Exception {
        Path directory = base.resolve(route);
        ProbeServer.prepare(directory, guide.get("connector").replace("8009", "0"), "<Host name='localhost'/>", "");
        Path file = directory.resolve("conf/server.xml");
        Files.writeString(file, Files.readString(file).replace("<Engine ", "<Engine jvmRoute='" + route + "' "));
        return new ProbeServer(Product.serving("start", "--base=" + directory));
    }

    private Httpd balancer(Snippets guide, int one, int two) throws Exception {
        return new Httpd.Builder(base.resolve("httpd"))
                .file("workers.properties", ports(guide.get("jk-balancer"), one, two))
                .global(guide.get("jk"))
                .plain("jk", "JkMountCopy On")
                .plain("ajp", ports(guide.get("proxy-balancer"), one, two))
                .start()
                .awaitReady();
    }

    private static String ports(String snippet, int one, int two) {
        return snippet.replace("8009", String.valueOf(one)).replace("8010", String.valueOf(two));
    }
}
