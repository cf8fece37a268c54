package io.millrace.connector.ajp;

import static io.millrace.connector.ajp.AjpOptions.ALLOWED_REQUEST_ATTRIBUTES;
import static io.millrace.connector.ajp.AjpOptions.SECRET;
import static io.millrace.connector.ajp.AjpOptions.TOMCAT_AUTHENTICATION;
import static io.millrace.connector.ajp.AjpOptions.TOMCAT_AUTHORIZATION;
import static io.millrace.protocol.ProtocolOptions.MAX_HEADER_COUNT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.io.FrontEnd;
import io.millrace.io.FrontEndUser;
import io.millrace.settings.Settings;
import io.millrace.testkit.AjpPacket;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A request … */
class RequestTest {

    @Test
    void isWhatThePacketSays() {
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.receive(AjpFixture.get("/caf%C3%A9;v=1/x")
                    .attribute(0x05, "a=%26&b")
                    .attribute(0x06, "route")
                    .attribute(0x01, "context")
                    .attribute(0x02, "servlet")
                    .attribute("AJP_REMOTE_PORT", "40001")
                    .attribute("AJP_LOCAL_ADDR", "192.0.2.80")
                    .end());
            RequestHead head = ajp.request();
            assertEquals("GET", head.method());
            assertEquals("/caf\u00e9/x", head.path().decoded());
            assertEquals("/caf%C3%A9;v=1/x?a=%26&b", head.target());
            assertEquals("a=%26&b", head.query());
            assertEquals("http", head.scheme());
            assertEquals("h", head.authority());
            assertEquals(-1, head.contentLength());
            InetSocketAddress remote =
                    (InetSocketAddress) ajp.stream().channel().info().remote();
            assertEquals("192.0.2.7", remote.getAddress().getHostAddress());
            assertEquals("client.example", remote.getHostString());
            assertEquals(40001, remote.getPort());
            InetSocketAddress local =
                    (InetSocketAddress) ajp.stream().channel().info().local();
            assertEquals("192.0.2.80", local.getAddress().getHostAddress());
            assertEquals("www.example", local.getHostString());
            assertEquals(80, local.getPort());
            assertFalse(ajp.stream().channel().info().isSecure());
        }
    }

    @Test
    void hasEveryMethodWithACode() {
        try (AjpFixture ajp = new AjpFixture()) {
            for (int code = 1; code <= 27; code++) {
                ajp.receive(
                        AjpPacket.request(code, "HTTP/1.1", "/a", new Headers()).end());
                assertEquals(Codes.method(code), ajp.request().method());
            }
            ajp.receive(AjpPacket.request(0xff, "HTTP/1.1", "/a", new Headers())
                    .attribute(0x0d, "BREW")
                    .end());
            assertEquals("BREW", ajp.request().method());
        }
    }

    @Test
    void hasEveryFieldWithACodeAndOthers() {
        AjpPacket packet = AjpPacket.request(2, "HTTP/1.1", "/a", new Headers());
        byte[] none = packet.bytes();
        AjpPacket request = new AjpPacket();
        for (int i = 4; i < none.length - 2; i++) {
            request.octet(none[i]);
        }
        request.number(15);
        for (int code = 1; code <= 14; code++) {
            request.number(0xa000 + code).text(code == 8 ? "0" : "v" + code);
        }
        request.text("X-Other").text("o");
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.receive(request.end());
            Headers headers = ajp.request().headers();
            assertEquals(15, headers.size());
            assertEquals("v1", headers.get("Accept"));
            assertEquals("v9", headers.get("Cookie"));
            assertEquals("v11", ajp.request().authority());
            assertEquals("v14", headers.get("User-Agent"));
            assertEquals("o", headers.get("x-other"));
            assertEquals(0, ajp.request().contentLength());
        }
    }

    @ParameterizedTest
    @CsvSource({"HTTP/1.1,HTTP_1_1", "HTTP/1.0,HTTP_1_0", "HTTP/0.9,HTTP_1_0", "HTTP/2.0,HTTP_2", "HTTP/2,HTTP_2"})
    void cameByThisVersion(String protocol, HttpVersion version) {
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.receive(AjpPacket.request(2, protocol, "/a", new Headers()).end());
            assertEquals(version, ajp.request().version());
        }
    }

    @Test
    void wasSentToTheServerNameWhereThereIsNoHost() {
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.receive(AjpPacket.request(2, "HTTP/1.0", "/a", new Headers()).end());
            assertEquals("www.example", ajp.request().authority());
        }
    }

    @Test
    void cameByTlsIfThePacketTellsOfIt() {
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.receive(AjpFixture.get("/a")
                    .attribute(0x07, "-----BEGIN")
                    .attribute(0x08, "TLS_AES_256_GCM_SHA384")
                    .attribute(0x09, "00ff")
                    .octet(0x0b)
                    .number(256)
                    .attribute("AJP_SSL_PROTOCOL", "TLSv1.3")
                    .end());
            FrontEnd said = ajp.frontEnd();
            assertTrue(ajp.stream().channel().info().isSecure());
            assertEquals("https", ajp.request().scheme());
            assertEquals("TLSv1.3", said.tlsVersion());
            assertEquals("TLS_AES_256_GCM_SHA384", said.cipherSuite());
            assertEquals(256, said.notes().keySize());
            assertEquals("00ff", said.notes().tlsSessionId());
            assertEquals("-----BEGIN", said.notes().certificates());
            assertEquals(Map.of(), said.notes().attributes());
        }
    }

    @Test
    void isNotMadeByWhomTheFrontEndSaysUnlessThatIsWanted() {
        assertNull(user(options -> options));
        assertEquals(
                new FrontEndUser("ann", "Basic", false), user(options -> options.with(TOMCAT_AUTHENTICATION, false)));
        assertEquals(new FrontEndUser("ann", "Basic", true), user(options -> options.with(TOMCAT_AUTHORIZATION, true)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"JK_LB_ACTIVATION", "HTTPS_KEYSIZE", "CERT_ISSUER", "my.note"})
    void mayHaveHarmlessAndAllowedAttributes(String name) {
        try (AjpFixture ajp =
                new AjpFixture(options -> options.with(ALLOWED_REQUEST_ATTRIBUTES, Pattern.compile("my\\..*")), true)) {
            ajp.receive(AjpFixture.get("/a").attribute(name, "v").end());
            assertEquals(Map.of(name, "v"), ajp.frontEnd().notes().attributes());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "javax.servlet.include.request_uri",
                "javax.servlet.include.path_info",
                "javax.servlet.forward.path_info",
                "jakarta.servlet.include.servlet_path",
                "org.apache.catalina.jsp_file",
                "other"
            })
    void isRefusedWithAnyOtherAttribute(String name) {
        Pattern pattern = Pattern.compile(name.equals("other") ? "my\\..*" : ".*");
        try (AjpFixture ajp = new AjpFixture(options -> options.with(ALLOWED_REQUEST_ATTRIBUTES, pattern), true)) {
            ajp.receive(AjpFixture.get("/a").attribute(name, "/WEB-INF/web.xml").end());
            assertRefused(ajp, 403);
        }
    }

    @Test
    void isRefusedWithAnAttributeWhereNoneIsAllowed() {
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.receive(AjpFixture.get("/a").attribute("my.note", "v").end());
            assertRefused(ajp, 403);
        }
    }

    @Test
    void isServedWithTheSecretOnly() {
        UnaryOperator<Settings> secret = options -> options.with(SECRET, "right");
        try (AjpFixture ajp = new AjpFixture(secret, true)) {
            ajp.receive(AjpFixture.get("/a").attribute(0x0c, "right").end());
            assertEquals("[HEAD 200][BODY /a]" + AjpFixture.END, ajp.sent());
        }
        for (String wrong : List.of("", "wrong", "righ", "rightt")) {
            try (AjpFixture ajp = new AjpFixture(secret, true)) {
                ajp.receive(AjpFixture.get("/a").attribute(0x0c, wrong).end());
                assertRefused(ajp, 403);
            }
        }
        try (AjpFixture ajp = new AjpFixture(secret, true)) {
            ajp.receive(AjpFixture.get("/a").end());
            assertRefused(ajp, 403);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/%2e%2e/a, 400",
        "a, 400",
        "/a%2fb, 400",
        "/a%00, 400",
        "/\u00e9, 400",
        "*, 400",
        "'', 400",
    })
    void isRefusedForItsPathAndTheNextIsServed(String path, int status) {
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.receive(AjpFixture.get(path).end());
            ajp.receive(AjpFixture.get("/next").end());
            assertEquals(
                    "[HEAD " + status + "]" + AjpFixture.END + "[HEAD 200][BODY /next]" + AjpFixture.END, ajp.sent());
            assertEquals(List.of(status), ajp.refusals);
        }
    }

    @Test
    void isRefusedWithItsBodyPacketDropped() {
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.receive(AjpFixture.post("/%2e%2e/a", 10).end());
            ajp.receive(AjpPacket.body(new byte[10], 0, 10));
            ajp.receive(AjpFixture.get("/next").end());
            assertEquals("[HEAD 400]" + AjpFixture.END + "[HEAD 200][BODY /next]" + AjpFixture.END, ajp.sent());
        }
    }

    @ParameterizedTest
    @CsvSource({"x y, v", "x, a\u0001b", "x, a\u007f", "content-length, -1", "content-length, 1x"})
    void isRefusedForItsFields(String name, String value) {
        try (AjpFixture ajp = new AjpFixture()) {
            Headers headers = new Headers().add(name, value);
            ajp.receive(AjpPacket.request(2, "HTTP/1.1", "/a", headers).end());
            assertRefused(ajp, 400);
        }
    }

    @Test
    void isRefusedForTwoWaysToEndItsBody() {
        try (AjpFixture ajp = new AjpFixture()) {
            Headers headers = new Headers().add("content-length", "5").add("transfer-encoding", "chunked");
            ajp.receive(AjpPacket.request(4, "HTTP/1.1", "/a", headers).end());
            assertRefused(ajp, 400);
        }
    }

    @Test
    void isRefusedForTooManyFields() {
        try (AjpFixture ajp = new AjpFixture(options -> options.with(MAX_HEADER_COUNT, 2), true)) {
            Headers headers = new Headers().add("a", "1").add("b", "2").add("c", "3");
            ajp.receive(AjpPacket.request(2, "HTTP/1.1", "/a", headers).end());
            assertRefused(ajp, 431);
        }
    }

    @Test
    void isRefusedForAVersionOrAnAddressThatIsNone() {
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.receive(AjpPacket.request(2, "SPDY/3", "/a", new Headers()).end());
            ajp.receive(AjpPacket.ofType(2)
                    .octet(2)
                    .text("HTTP/1.1")
                    .text("/a")
                    .text("no address")
                    .text("")
                    .text("s")
                    .number(80)
                    .octet(0)
                    .number(0)
                    .end());
            assertEquals("[HEAD 505]" + AjpFixture.END + "[HEAD 400]" + AjpFixture.END, ajp.sent());
        }
    }

    private static @Nullable FrontEndUser user(UnaryOperator<Settings> change) {
        try (AjpFixture ajp = new AjpFixture(change, true)) {
            ajp.receive(AjpFixture.get("/a")
                    .attribute(0x03, "ann")
                    .attribute(0x04, "Basic")
                    .end());
            return ajp.frontEnd().notes().user();
        }
    }

    /** The response is sent, and then the connection is closed. */
    private static void assertRefused(AjpFixture ajp, int status) {
        assertEquals("[HEAD " + status + "][END 0]", ajp.sent());
        assertEquals(List.of(), ajp.requests);
        ajp.connection.receiveEnd();
        assertTrue(ajp.connection.isClosed());
    }
}
