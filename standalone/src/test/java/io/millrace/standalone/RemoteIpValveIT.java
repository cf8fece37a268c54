package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Behind a RemoteIpValve of server.xml, a servlet … */
@NullUnmarked
final class RemoteIpValveIT {

    private static final String HOSTS = """
            <Host name="localhost">
              <Valve className="org.apache.catalina.valves.RemoteIpValve" internalProxies="127\\.0\\.0\\.1|::1"
                  trustedProxies="192.0.2.9" hostHeader="X-Forwarded-Host" portHeader="X-Forwarded-Port"/>
            </Host>
            <Host name="wary.test" appBase="webapps">
              <Valve className="org.apache.catalina.valves.RemoteIpValve" internalProxies="10.0.0.0/8"/>
            </Host>
            """;

    @TempDir
    private static Path base;

    private static ProbeServer server;

    @BeforeAll
    static void start() throws Exception {
        String guides = Snippets.of("behind-a-proxy.md").get("valve").replace("10.0.0.0/8", "127.0.0.0/8");
        String host = "<Host name=\"guide.test\" appBase=\"webapps\">" + guides + "</Host>";
        String field = Snippets.of("behind-a-proxy.md").get("forwarded").replace("10.0.0.0/8", "127.0.0.0/8,192.0.2.9");
        String other = "<Host name=\"forwarded.test\" appBase=\"webapps\">" + field + "</Host>";
        server = ProbeServer.serving(base, "<Connector port='0' address='127.0.0.1'/>", HOSTS + host + other);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void seesTheClientAndWhatItAskedFor() throws Exception {
        String seen = ask(
                "/where",
                "X-Forwarded-For: 203.0.113.5, 198.51.100.7, 192.0.2.9",
                "X-Forwarded-Proto: https",
                "X-Forwarded-Host: shop.example",
                "X-Forwarded-Port: 8443");
        assertTrue(seen.contains("remote 198.51.100.7 "), seen);
        assertTrue(seen.contains("host 198.51.100.7"), seen);
        assertTrue(seen.contains("scheme https true"), seen);
        assertTrue(seen.contains("server shop.example 8443"), seen);
        assertTrue(seen.contains("url https://shop.example:8443/where"), seen);
    }

    @Test
    void redirectsToWhereTheClientCameFrom() throws Exception {
        String relative = ask("/redirect", "X-Forwarded-Proto: https", "X-Forwarded-Host: shop.example");
        assertTrue(relative.contains("Location: where?x=1\r\n"), relative);
        String old = Curl.run(
                "-i",
                "--http1.0",
                "-H",
                "X-Forwarded-Proto: https",
                "-H",
                "X-Forwarded-Host: shop.example",
                server.url(0, "/redirect"));
        assertTrue(old.contains("Location: https://shop.example/where?x=1\r\n"), old);
    }

    @Test
    void thatWantsTlsIsContentWithThatOfTheFrontEnd() throws Exception {
        String plain = ask("/secret/page");
        assertTrue(plain.startsWith("HTTP/1.1 302 "), plain);
        String secured = ask("/secret/page", "X-Forwarded-Proto: https");
        assertTrue(secured.startsWith("HTTP/1.1 200 "), secured);
    }

    @Test
    void seesThePeerIfNobodyTrustsIt() throws Exception {
        String seen = ask("/where", "Host: wary.test", "X-Forwarded-For: 198.51.100.7", "X-Forwarded-Proto: https");
        assertTrue(seen.contains("remote 127.0.0.1 "), seen);
        assertTrue(seen.contains("scheme http false"), seen);
    }

    @Test
    void seesTheClientAsTheUserGuideSetsItUp() throws Exception {
        String seen = ask("/where", "Host: guide.test", "X-Forwarded-For: 198.51.100.7", "X-Forwarded-Proto: https");
        assertTrue(seen.contains("remote 198.51.100.7 "), seen);
        assertTrue(seen.contains("scheme https true"), seen);
    }

    @Test
    void seesTheClientByTheFieldForwardedWhereThatIsBelieved() throws Exception {
        String said = "Forwarded: for=203.0.113.5, for=198.51.100.7;proto=https;host=shop.example, for=192.0.2.9";
        String seen = ask("/where", "Host: forwarded.test", said, "X-Forwarded-For: 203.0.113.9");
        assertTrue(seen.contains("remote 198.51.100.7 "), seen);
        assertTrue(seen.contains("url https://shop.example/where"), seen);
        String elsewhere = ask("/where", "Host: guide.test", said);
        assertTrue(elsewhere.contains("remote 127.0.0.1 "), elsewhere);
    }

    private static String ask(String path, String... fields) throws Exception {
        List<String> words = new ArrayList<>(List.of("-i"));
        for (String field : fields) {
            words.add("-H");
            words.add(field);
        }
        words.add(server.url(0, path));
        return Curl.run(words.toArray(String[]::new));
    }
}
