package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Settings;
import io.millrace.testkit.FrameTranscript;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A request … */
class RequestFieldsTest {

    private static final String[] GET = {":method", "GET", ":scheme", "http", ":authority", "a.test", ":path", "/"};

    private static String[] fields(String text) {
        List<String> fields = new ArrayList<>();
        for (String field : text.split("\\|", -1)) {
            int equals = field.indexOf('=');
            fields.add(field.substring(0, equals));
            fields.add(field.substring(equals + 1)
                    .replace("^0", "\0")
                    .replace("^n", "\n")
                    .replace("_", " "));
        }
        return fields.toArray(String[]::new);
    }

    private static FrameTranscript read(String... fields) {
        return Http2Reading.read(Wire.begun().request(1, true, fields));
    }

    private static String[] getWith(String... more) {
        List<String> fields = new ArrayList<>(List.of(GET));
        fields.addAll(List.of(more));
        return fields.toArray(String[]::new);
    }

    private static RequestHead head(FrameTranscript told) {
        RequestHead head = told.head();
        assertNotNull(head, told.last());
        return head;
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "no method, :scheme=http|:authority=a|:path=/",
        "no scheme, :method=GET|:authority=a|:path=/",
        "no path, :method=GET|:scheme=http|:authority=a",
        "an empty path, :method=GET|:scheme=http|:authority=a|:path=",
        "two methods, :method=GET|:method=GET|:scheme=http|:authority=a|:path=/",
        "two schemes, :method=GET|:scheme=http|:scheme=http|:authority=a|:path=/",
        "two paths, :method=GET|:scheme=http|:authority=a|:path=/|:path=/",
        "two authorities, :method=GET|:scheme=http|:authority=a|:authority=a|:path=/",
        "a status, :method=GET|:scheme=http|:authority=a|:path=/|:status=200",
        "an unknown pseudo field, :method=GET|:scheme=http|:authority=a|:path=/|:own=1",
        "a late pseudo field, :method=GET|:scheme=http|:authority=a|x=1|:path=/",
        "a name in upper case, :method=GET|:scheme=http|:authority=a|:path=/|X-One=1",
        "a name that is no token, :method=GET|:scheme=http|:authority=a|:path=/|x(y=1",
        "an empty name, :method=GET|:scheme=http|:authority=a|:path=/|=1",
        "connection, :method=GET|:scheme=http|:authority=a|:path=/|connection=close",
        "keep-alive, :method=GET|:scheme=http|:authority=a|:path=/|keep-alive=5",
        "proxy-connection, :method=GET|:scheme=http|:authority=a|:path=/|proxy-connection=x",
        "transfer-encoding, :method=GET|:scheme=http|:authority=a|:path=/|transfer-encoding=chunked",
        "upgrade, :method=GET|:scheme=http|:authority=a|:path=/|upgrade=h2c",
        "te other than trailers, :method=GET|:scheme=http|:authority=a|:path=/|te=gzip",
        "CONNECT with a path, :method=CONNECT|:authority=a:1|:path=/",
        "CONNECT with a scheme, :method=CONNECT|:authority=a:1|:scheme=http",
        "CONNECT without an authority, :method=CONNECT",
        "a protocol without CONNECT, :method=GET|:scheme=http|:authority=a|:path=/|:protocol=websocket",
        "an extended CONNECT that ends, :method=CONNECT|:scheme=http|:authority=a|:path=/|:protocol=websocket",
    })
    void isMalformedWith(String what, String fields) {
        assertEquals("fault 1 PROTOCOL", read(fields(fields)).last().replaceAll("(PROTOCOL).*", "$1"), what);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "400, a zero in a value, :method=GET|:scheme=http|:authority=a|:path=/|x=a^0b",
        "400, a line feed in a value, :method=GET|:scheme=http|:authority=a|:path=/|x=a^nb",
        "400, a space before a value, :method=GET|:scheme=http|:authority=a|:path=/|x=_a",
        "400, a space behind a value, :method=GET|:scheme=http|:authority=a|:path=/|x=a_",
        "400, a method that is not a token, :method=G_T|:scheme=http|:authority=a|:path=/",
        "400, another scheme, :method=GET|:scheme=ftp|:authority=a|:path=/",
        "400, the scheme of TLS without it, :method=GET|:scheme=https|:authority=a|:path=/",
        "400, no host, :method=GET|:scheme=http|:path=/",
        "400, a user in the authority, :method=GET|:scheme=http|:authority=u@a|:path=/",
        "400, an empty authority, :method=GET|:scheme=http|:authority=|:path=/",
        "400, another host, :method=GET|:scheme=http|:authority=a|:path=/|host=b",
        "400, two hosts, :method=GET|:scheme=http|:path=/|host=b|host=b",
        "400, a path without a slash, :method=GET|:scheme=http|:authority=a|:path=x",
        "400, a path above the root, :method=GET|:scheme=http|:authority=a|:path=/../x",
        "400, a fragment, :method=GET|:scheme=http|:authority=a|:path=/x#y",
        "400, a space in a path, :method=GET|:scheme=http|:authority=a|:path=/x_y",
        "400, a space in a query, :method=GET|:scheme=http|:authority=a|:path=/x?_y",
        "400, an asterisk without OPTIONS, :method=GET|:scheme=http|:authority=a|:path=*",
        "400, two lengths, :method=GET|:scheme=http|:authority=a|:path=/|content-length=0|content-length=0",
        "400, a length that is no number, :method=GET|:scheme=http|:authority=a|:path=/|content-length=x",
        "400, CONNECT without a port, :method=CONNECT|:authority=a",
        "417, an expectation, :method=GET|:scheme=http|:authority=a|:path=/|expect=more",
    })
    void isAnsweredWith(int status, String what, String fields) {
        assertEquals("refused 1 " + status, read(fields(fields)).last().replaceAll("(1 \\d+).*", "$1"), what);
    }

    @Test
    void isWhatItsFieldsSay() {
        RequestHead head = head(read(getWith("x-one", "1", "te", "trailers")));
        assertEquals(HttpVersion.HTTP_2, head.version());
        assertEquals("http", head.scheme());
        assertEquals("a.test", head.authority());
        assertEquals("a.test", head.headers().get("Host"));
        assertEquals("1", head.headers().get("X-One"));
        assertEquals(0, head.contentLength());
    }

    @Test
    void mayNameItsHostByAField() {
        RequestHead head = head(read(":method", "GET", ":scheme", "http", ":path", "/a?b", "host", "b.test"));
        assertEquals("b.test", head.authority());
        assertEquals("/a?b", head.target());
        assertEquals("b", head.query());
    }

    @Test
    void hasOneCookieField() {
        RequestHead head = head(read(getWith("cookie", "a=b", "cookie", "c=d", "cookie", "e=f")));
        assertEquals(List.of("a=b; c=d; e=f"), head.headers().all("cookie"));
    }

    @Test
    void mayAskForTheWholeServer() {
        RequestHead head = head(read(":method", "OPTIONS", ":scheme", "http", ":authority", "a", ":path", "*"));
        assertEquals(true, head.path().isAsterisk());
    }

    @Test
    void mayHaveAPriority() {
        assertEquals(
                "request 1 GET / 0 u=1 end", read(getWith("priority", "u=1")).last());
    }

    @Test
    void looksForATunnelAsInHttp1() {
        FrameTranscript told = Http2Reading.read(Wire.begun().request(1, false, tunnel("websocket")));
        assertEquals("connect 1 GET /chat", told.last());
        assertEquals("websocket", head(told).headers().get("Upgrade"));
        assertEquals("Upgrade", head(told).headers().get("Connection"));
    }

    /** RFC 8441, 4, and RFC 9220, 3. */
    @ParameterizedTest
    @ValueSource(strings = {"connect-udp", "webtransport", "foo", "h2c"})
    void asksForATunnelOfAnUnknownProtocolInVain(String protocol) {
        FrameTranscript told = Http2Reading.read(Wire.begun().request(1, false, tunnel(protocol)));
        assertTrue(told.last().startsWith("refused 1 501"), told.last());
        told = Http2Reading.read(Wire.begun().request(1, false, tunnel("WebSocket")));
        assertEquals("connect 1 GET /chat", told.last());
    }

    private static String[] tunnel(String protocol) {
        return new String[] {
            ":method", "CONNECT", ":protocol", protocol, ":scheme", "http", ":authority", "a.test", ":path", "/chat"
        };
    }

    @Test
    void mayBeAPlainConnect() {
        FrameTranscript told =
                Http2Reading.read(Wire.begun().request(1, false, ":method", "CONNECT", ":authority", "a.test:80"));
        assertEquals("request 1 CONNECT a.test:80 -1", told.last());
        assertEquals("a.test:80", head(told).authority());
    }

    @Test
    void mayComeWithAnotherSchemeWhereThatIsAllowed() {
        Settings options = Settings.DEFAULTS.with(MuxOptions.ALLOW_SCHEME_MISMATCH, true);
        byte[] bytes = Wire.begun()
                .request(1, true, ":method", "GET", ":scheme", "https", ":authority", "a", ":path", "/")
                .toArray();
        assertEquals("https", head(Http2Reading.read(options, bytes, 7)).scheme());
    }

    @Test
    void hasNoMoreFieldsThanItMay() {
        String[] many = new String[8 + 2 * 101];
        System.arraycopy(GET, 0, many, 0, 8);
        for (int i = 8; i < many.length; i += 2) {
            many[i] = "x";
            many[i + 1] = "y";
        }
        assertEquals(
                "refused 1 431 too many header fields [GET / HTTP/2.0]",
                read(many).last());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "trailers 1 x=1, true, x=1",
        "fault 1 PROTOCOL, false, x=1",
        "fault 1 PROTOCOL, true, :path=/",
        "fault 1 PROTOCOL, true, X=1",
        "fault 1 PROTOCOL, true, connection=close",
        "fault 1 PROTOCOL, true, x=a^0b",
    })
    void hasTrailersAsTheyMayBe(String expected, boolean end, String fields) {
        FrameTranscript told = Http2Reading.read(Wire.begun().post(1, "/").request(1, end, fields(fields)));
        assertEquals(expected, told.last().replaceAll("(PROTOCOL).*", "$1"));
    }

    @Test
    void keepsOnlyTheTrailersThatAreAllowed() {
        Settings options = Settings.DEFAULTS.with(HttpOptions.ALLOWED_TRAILER_HEADERS, Set.of("X-One"));
        byte[] bytes = Wire.begun()
                .post(1, "/")
                .request(1, true, "x-one", "1", "x-two", "2")
                .toArray();
        assertEquals(
                "trailers 1 x-one=1", Http2Reading.read(options, bytes, 100).last());
    }

    @Test
    void isNotTheReasonForAnException() {
        assertNull(read(fields(":method=GET")).head());
    }
}
