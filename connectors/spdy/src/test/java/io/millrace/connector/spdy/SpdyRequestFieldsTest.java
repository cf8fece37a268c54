package io.millrace.connector.spdy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Settings;
import io.millrace.testkit.FrameTranscript;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A request … */
class SpdyRequestFieldsTest {

    private static final String LINE = ":method=GET|:path=/|:version=HTTP/1.1|:host=a|:scheme=http";

    /** LINE is the fields of a request line; a second field of a name replaces that of LINE. */
    private static String[] fields(String text) {
        List<String> fields = new ArrayList<>();
        for (String field : text.replace("LINE", LINE).split("\\|", -1)) {
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
        return SpdyReading.read(new SpdyWire().request(1, true, fields));
    }

    private static RequestHead head(String text) {
        FrameTranscript told = read(fields(text));
        RequestHead head = told.head();
        assertNotNull(head, told.last());
        return head;
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "two paths, LINE|:path=/",
        "a name twice, LINE|x=1|x=2",
        "a status, LINE|:status=200",
        "a name in upper case, LINE|X-One=1",
        "a name that is no token, LINE|x(y=1",
        "an empty name, LINE|=1",
        "connection, LINE|connection=close",
        "keep-alive, LINE|keep-alive=5",
        "proxy-connection, LINE|proxy-connection=x",
        "transfer-encoding, LINE|transfer-encoding=chunked",
        "upgrade, LINE|upgrade=h2c",
        "te other than trailers, LINE|te=gzip",
        "a value that begins with NUL, LINE|x=^0a",
        "a value that ends with NUL, LINE|x=a^0",
        "an empty value among others, LINE|x=a^0^0b",
    })
    void isMalformedWith(String what, String fields) {
        assertEquals("fault 1 PROTOCOL", read(fields(fields)).last().replaceAll("(PROTOCOL).*", "$1"), what);
    }

    @Test
    void isMalformedOnAStreamThatIsNotToBeAnswered() {
        byte[] block = SpdyWire.block(SpdyWire.line("GET", "/"));
        FrameTranscript told =
                SpdyReading.read(new SpdyWire().request(1, SpdyFrame.UNIDIRECTIONAL | SpdyFrame.FIN, 0, block));
        assertEquals("fault 1 PROTOCOL a request on a unidirectional stream", told.last());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "400, no method, :path=/|:version=HTTP/1.1|:host=a|:scheme=http",
        "400, no path, :method=GET|:version=HTTP/1.1|:host=a|:scheme=http",
        "400, no version, :method=GET|:path=/|:host=a|:scheme=http",
        "400, no host, :method=GET|:path=/|:version=HTTP/1.1|:scheme=http",
        "400, a host by name, :method=GET|:path=/|:version=HTTP/1.1|host=a|:scheme=http",
        "400, no scheme, :method=GET|:path=/|:version=HTTP/1.1|:host=a",
        "400, an empty path, :method=GET|:path=|:version=HTTP/1.1|:host=a|:scheme=http",
        "400, an absolute path, :method=GET|:path=http://a/|:version=HTTP/1.1|:host=a|:scheme=http",
        "400, a path without a slash, :method=GET|:path=x|:version=HTTP/1.1|:host=a|:scheme=http",
        "400, a path above the root, :method=GET|:path=/../x|:version=HTTP/1.1|:host=a|:scheme=http",
        "400, a fragment, :method=GET|:path=/x#y|:version=HTTP/1.1|:host=a|:scheme=http",
        "400, a NUL in a path, :method=GET|:path=/x^0y|:version=HTTP/1.1|:host=a|:scheme=http",
        "400, a line feed in a query, :method=GET|:path=/x?^n|:version=HTTP/1.1|:host=a|:scheme=http",
        "400, an asterisk without OPTIONS, :method=GET|:path=*|:version=HTTP/1.1|:host=a|:scheme=http",
        "505, HTTP/2.0, :method=GET|:path=/|:version=HTTP/2.0|:host=a|:scheme=http",
        "501, CONNECT, :method=CONNECT|:path=a:1|:version=HTTP/1.1|:host=a|:scheme=http",
        "400, a method that is not a token, :method=G_T|:path=/|:version=HTTP/1.1|:host=a|:scheme=http",
        "400, another scheme, :method=GET|:path=/|:version=HTTP/1.1|:host=a|:scheme=ftp",
        "400, the scheme of TLS without it, :method=GET|:path=/|:version=HTTP/1.1|:host=a|:scheme=https",
        "400, a user in the host, :method=GET|:path=/|:version=HTTP/1.1|:host=u@a|:scheme=http",
        "400, two hosts, :method=GET|:path=/|:version=HTTP/1.1|:host=a^0b|:scheme=http",
        "400, another host, LINE|host=b",
        "400, two host fields, LINE|host=a^0b",
        "400, two lengths, LINE|content-length=0^00",
        "400, a length that is no number, LINE|content-length=x",
        "413, a huge length, LINE|content-length=1234567890123456789",
        "400, a line feed in a value, LINE|x=a^nb",
        "400, a space before a value, LINE|x=_a",
        "417, an expectation, LINE|expect=more",
    })
    void isAnsweredWith(int status, String what, String fields) {
        assertEquals("refused 1 " + status, read(fields(fields)).last().replaceAll("(?s)(1 \\d+).*", "$1"), what);
    }

    @Test
    void isAnsweredIfItHasTooManyFields() {
        StringBuilder text = new StringBuilder("LINE");
        for (int i = 0; i < 101; i++) {
            text.append("|x").append(i).append('=');
        }
        assertEquals(
                "refused 1 431 too many header fields [GET / SPDY/3.1]",
                read(fields(text.toString())).last());
    }

    @Test
    void isWhatItsFieldsSay() {
        RequestHead head = head("x-one=1^02|LINE|te=trailers|y=");
        assertEquals(HttpVersion.SPDY_3_1, head.version());
        assertEquals("http", head.scheme());
        assertEquals("a", head.authority());
        assertEquals("a", head.headers().get("Host"));
        assertEquals(List.of("1", "2"), head.headers().all("X-One"));
        assertEquals("", head.headers().get("y"));
        assertEquals(0, head.contentLength());
    }

    @Test
    void hasOneCookieField() {
        assertEquals(List.of("a=b; c=d"), head("LINE|cookie=a=b^0c=d").headers().all("cookie"));
    }

    @Test
    void mayComeByHttpsThroughAFrontEnd() {
        Settings lenient = Settings.DEFAULTS.with(MuxOptions.ALLOW_SCHEME_MISMATCH, true);
        byte[] bytes = new SpdyWire()
                .request(1, true, fields(LINE.replace("scheme=http", "scheme=https")))
                .toArray();
        RequestHead head = SpdyReading.read(lenient.with(SpdyOptions.VERSION, "3"), bytes, 1)
                .head();
        assertNotNull(head);
        assertEquals("https", head.scheme());
        assertEquals(HttpVersion.SPDY_3, head.version());
    }

    @Test
    void mayAskForTheWholeServer() {
        String line = ":method=OPTIONS|:path=*|:version=HTTP/1.1|:host=a|:scheme=http";
        assertEquals(true, head(line).path().isAsterisk());
    }
}
