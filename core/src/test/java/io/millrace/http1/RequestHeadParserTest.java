package io.millrace.http1;

import static io.millrace.http1.Http1Options.REJECT_ILLEGAL_HEADER;
import static io.millrace.protocol.HttpOptions.ALLOW_HOST_HEADER_MISMATCH;
import static io.millrace.protocol.HttpOptions.MAX_REQUEST_HEADER_SIZE;
import static io.millrace.protocol.HttpOptions.MAX_RESPONSE_HEADER_SIZE;
import static io.millrace.protocol.HttpOptions.RELAXED_PATH_CHARS;
import static io.millrace.protocol.HttpOptions.RELAXED_QUERY_CHARS;
import static io.millrace.protocol.ProtocolOptions.ENCODED_SOLIDUS_HANDLING;
import static io.millrace.protocol.ProtocolOptions.MAX_HEADER_COUNT;
import static io.millrace.protocol.ProtocolOptions.URI_ENCODING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.EncodedSlash;
import io.millrace.protocol.RequestFault;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RequestHeadParserTest {

    private static final Settings OPTIONS = Settings.DEFAULTS;

    static Stream<Arguments> refused() {
        String host = "Host: h\r\n";
        return Stream.of(
                // lines
                refused("GET / HTTP/1.1\nHost: h\n\n", RequestFault.BARE_LF),
                refused("GET / HTTP/1.1\r\nHost: h\n\r\n", RequestFault.BARE_LF),
                refused("GET / HTTP/1.1\r\nHost: h\r\n\n", RequestFault.BARE_LF),
                refused("\nGET / HTTP/1.1\r\n", RequestFault.BARE_LF),
                refused("GET / HTTP/1.1\rHost: h\r\n\r\n", RequestFault.BARE_CR),
                refused("GET / HTTP/1.1\r\nHost: h\rX: y\r\n\r\n", RequestFault.BARE_CR),
                refused("GET / HTTP/1.1\r\nHost: h\r\r\n\r\n", RequestFault.BARE_CR),
                refused("GET / HTTP/1.1\r\nHost: h\r\n\rX", RequestFault.BARE_CR),
                refused("\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\n", RequestFault.TOO_MANY_EMPTY_LINES),
                refused("\rGET / HTTP/1.1\r\n", RequestFault.BARE_CR),
                // request line
                refused(" GET / HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_METHOD),
                refused("GET\t/ HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_METHOD),
                refused("G@T / HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_METHOD),
                refused("\u0000 / HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_METHOD),
                refused("GET\r\n", RequestFault.BAD_METHOD),
                refused("GET  / HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET),
                refused("GET /  HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_VERSION),
                refused("GET /a b HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_VERSION),
                refused("GET /\u0000 HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET),
                refused("GET /\u007f HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET),
                refused("GET /\u00e9 HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET),
                refused("GET /a#b HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET),
                refused("GET /a\\b HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET),
                refused("GET /<a> HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET),
                refused("GET /[a] HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET),
                refused("GET /?a=\"b\" HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET),
                refused("GET /?a=\u0001 HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET),
                refused("GET /?[a] HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET),
                refused("GET /\r\n\r\n", RequestFault.BAD_VERSION),
                refused("GET / \r\n\r\n", RequestFault.BAD_VERSION),
                refused("GET / http/1.1\r\n" + host + "\r\n", RequestFault.BAD_VERSION),
                refused("GET / HTTP/11\r\n" + host + "\r\n", RequestFault.BAD_VERSION),
                refused("GET / HTTP/1.1 \r\n" + host + "\r\n", RequestFault.BAD_VERSION),
                refused("GET / HTTP/1.10\r\n" + host + "\r\n", RequestFault.BAD_VERSION),
                refused("GET / HTTPS/1.1\r\n" + host + "\r\n", RequestFault.BAD_VERSION),
                refused("GET / HTTP/2.0\r\n" + host + "\r\n", RequestFault.UNSUPPORTED_VERSION),
                refused("PRI * HTTP/2.0\r\n\r\n", RequestFault.UNSUPPORTED_VERSION),
                refused("GET / HTTP/0.9\r\n\r\n", RequestFault.UNSUPPORTED_VERSION),
                // targets
                refused("GET * HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET_FORM),
                refused("OPTIONS ** HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET_FORM),
                refused("GET a HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET_FORM),
                refused("GET h:80 HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET_FORM),
                refused("GET ftp://h/ HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET_FORM),
                refused("GET http:///a HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET_FORM),
                refused("GET http://u@h/a HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET_FORM),
                refused("GET http://h:x/ HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET_FORM),
                refused("GET http://h/[a] HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET_FORM),
                refused("GET http://other/ HTTP/1.1\r\n" + host + "\r\n", RequestFault.HOST_MISMATCH),
                refused("GET http://h/ HTTP/1.1\r\nHost:\r\n\r\n", RequestFault.HOST_MISMATCH),
                refused("GET http://h:80/ HTTP/1.1\r\n" + host + "\r\n", RequestFault.HOST_MISMATCH),
                refused("CONNECT h:443 HTTP/1.1\r\nHost:\r\n\r\n", RequestFault.HOST_MISMATCH),
                refused("CONNECT h HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET_FORM),
                refused("CONNECT h: HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET_FORM),
                refused("CONNECT h:65536 HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET_FORM),
                refused("CONNECT http://h/ HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_TARGET_FORM),
                refused("GET /.. HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_PATH),
                refused("GET /%zz HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_PATH),
                refused("GET /%00 HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_PATH),
                refused("GET /a%2fb HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_PATH),
                refused("GET http://h/%2e%2e/ HTTP/1.1\r\n" + host + "\r\n", RequestFault.BAD_PATH),
                // fields
                refused("GET / HTTP/1.1\r\nHost : h\r\n\r\n", RequestFault.BAD_FIELD_NAME),
                refused("GET / HTTP/1.1\r\nHost\t: h\r\n\r\n", RequestFault.BAD_FIELD_NAME),
                refused("GET / HTTP/1.1\r\n: h\r\n\r\n", RequestFault.BAD_FIELD_NAME),
                refused("GET / HTTP/1.1\r\nHost\r\n\r\n", RequestFault.BAD_FIELD_NAME),
                refused("GET / HTTP/1.1\r\nH\u0000st: h\r\n\r\n", RequestFault.BAD_FIELD_NAME),
                refused("GET / HTTP/1.1\r\nH\u00f6st: h\r\n\r\n", RequestFault.BAD_FIELD_NAME),
                refused("GET / HTTP/1.1\r\n(x): h\r\n\r\n", RequestFault.BAD_FIELD_NAME),
                refused("GET / HTTP/1.1\r\n Host: h\r\n\r\n", RequestFault.FOLDED_FIELD),
                refused("GET / HTTP/1.1\r\nX: a\r\n b\r\nHost: h\r\n\r\n", RequestFault.FOLDED_FIELD),
                refused("GET / HTTP/1.1\r\nX: a\r\n\tb\r\nHost: h\r\n\r\n", RequestFault.FOLDED_FIELD),
                refused("GET / HTTP/1.1\r\nX: a\u0000b\r\nHost: h\r\n\r\n", RequestFault.BAD_FIELD_VALUE),
                refused("GET / HTTP/1.1\r\nX: a\u0008b\r\nHost: h\r\n\r\n", RequestFault.BAD_FIELD_VALUE),
                refused("GET / HTTP/1.1\r\nX: a\u007fb\r\nHost: h\r\n\r\n", RequestFault.BAD_FIELD_VALUE),
                // host
                refused("GET / HTTP/1.1\r\n\r\n", RequestFault.MISSING_HOST),
                refused("GET http://h/ HTTP/1.1\r\n\r\n", RequestFault.MISSING_HOST),
                refused("GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n", RequestFault.DUPLICATE_HOST),
                refused("GET / HTTP/1.0\r\nHost: h\r\nhost: i\r\n\r\n", RequestFault.DUPLICATE_HOST),
                refused("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", RequestFault.BAD_HOST),
                refused("GET / HTTP/1.1\r\nHost: a,b\r\n\r\n".replace(",", "/"), RequestFault.BAD_HOST),
                refused("GET / HTTP/1.1\r\nHost: u@h\r\n\r\n", RequestFault.BAD_HOST),
                refused("GET / HTTP/1.1\r\nHost: h:80x\r\n\r\n", RequestFault.BAD_HOST),
                refused("GET / HTTP/1.1\r\nHost: h:65536\r\n\r\n", RequestFault.BAD_HOST),
                refused("GET / HTTP/1.1\r\nHost: :80\r\n\r\n", RequestFault.BAD_HOST),
                refused("GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", RequestFault.BAD_HOST),
                refused("GET / HTTP/1.1\r\nHost: [1]\r\n\r\n", RequestFault.BAD_HOST),
                refused("GET / HTTP/1.1\r\nHost: [1::2::3]\r\n\r\n", RequestFault.BAD_HOST),
                refused("GET / HTTP/1.1\r\nHost: [:::::]\r\n\r\n", RequestFault.BAD_HOST),
                refused("GET / HTTP/1.1\r\nHost: [12345::]\r\n\r\n", RequestFault.BAD_HOST),
                refused("GET / HTTP/1.1\r\nHost: h\u00e9\r\n\r\n", RequestFault.BAD_HOST),
                refused("GET / HTTP/1.1\r\nHost: h%4\r\n\r\n", RequestFault.BAD_HOST),
                // framing that a front end might interpret differently
                refused(head("Content-Length: 5\r\nContent-Length: 5"), RequestFault.DUPLICATE_LENGTH),
                refused(head("Content-Length: 5\r\nContent-Length: 6"), RequestFault.DUPLICATE_LENGTH),
                refused(head("Content-Length: 5\r\ncontent-length: 5"), RequestFault.DUPLICATE_LENGTH),
                refused(head("Content-Length: 5, 5"), RequestFault.BAD_LENGTH),
                refused(head("Content-Length: +5"), RequestFault.BAD_LENGTH),
                refused(head("Content-Length: -5"), RequestFault.BAD_LENGTH),
                refused(head("Content-Length: 0x5"), RequestFault.BAD_LENGTH),
                refused(head("Content-Length: 5 5"), RequestFault.BAD_LENGTH),
                refused(head("Content-Length: 5.0"), RequestFault.BAD_LENGTH),
                refused(head("Content-Length:"), RequestFault.BAD_LENGTH),
                refused(head("Content-Length: \u00b2"), RequestFault.BAD_LENGTH),
                refused(head("Content-Length: 9999999999999999999"), RequestFault.HUGE_LENGTH),
                refused(head("Content-Length: 5\r\nTransfer-Encoding: chunked"), RequestFault.LENGTH_AND_CODING),
                refused(head("Transfer-Encoding: chunked\r\nContent-Length: 0"), RequestFault.LENGTH_AND_CODING),
                refused(head("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"), RequestFault.BAD_CODING),
                refused(head("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked"), RequestFault.BAD_CODING),
                refused(head("Transfer-Encoding: chunked, chunked"), RequestFault.BAD_CODING),
                refused(head("Transfer-Encoding: chunked, gzip"), RequestFault.BAD_CODING),
                refused(head("Transfer-Encoding: gzip"), RequestFault.BAD_CODING),
                refused(head("Transfer-Encoding: identity"), RequestFault.BAD_CODING),
                refused(head("Transfer-Encoding: xchunked"), RequestFault.BAD_CODING),
                refused(head("Transfer-Encoding: \"chunked\""), RequestFault.BAD_CODING),
                refused(head("Transfer-Encoding: chunked;x=y"), RequestFault.BAD_CODING),
                refused(head("Transfer-Encoding: \u000bchunked"), RequestFault.BAD_FIELD_VALUE),
                refused(head("Transfer-Encoding: chunked,"), RequestFault.BAD_CODING),
                refused(head("Transfer-Encoding:"), RequestFault.BAD_CODING),
                refused(head("Transfer-Encoding: nonsense, chunked"), RequestFault.BAD_CODING),
                refused(head("Transfer-Encoding: gzip, chunked"), RequestFault.UNSUPPORTED_CODING),
                refused("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", RequestFault.CODING_IN_HTTP_1_0),
                refused(head("Transfer-Encoding : chunked"), RequestFault.BAD_FIELD_NAME),
                refused(head("Content-Length\u0000: 5"), RequestFault.BAD_FIELD_NAME),
                refused(head("X: y\nContent-Length: 5"), RequestFault.BARE_LF),
                refused(head("X: y\rContent-Length: 5"), RequestFault.BARE_CR),
                // expectations
                refused(head("Expect: 200-ok"), RequestFault.UNKNOWN_EXPECTATION),
                refused(head("Expect: 100-continue, x"), RequestFault.UNKNOWN_EXPECTATION));
    }

    static Stream<Arguments> accepted() {
        return Stream.of(
                accepted(
                        "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
                        "GET / path / query null HTTP/1.1 at h length 0 keep" + " [Host|h] left 0"),
                accepted(
                        "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\nmore",
                        "GET / path / query null HTTP/1.1 at h" + " length 0 keep [Host|h] left 4"),
                accepted(
                        "GET /a?b?c=/d;e HTTP/1.1\r\nhost:h:80\r\n\r\n",
                        "GET /a?b?c=/d;e path /a query b?c=/d;e"
                                + " HTTP/1.1 at h:80 length 0 keep [host|h:80] left 0"),
                accepted(
                        "GET /? HTTP/1.1\r\nHOST: \t h \t\r\n\r\n",
                        "GET /? path / query  HTTP/1.1 at h length 0 keep" + " [HOST|h] left 0"),
                accepted(
                        "GET http://h HTTP/1.1\r\nHost: h\r\n\r\n",
                        "GET http://h path / query null HTTP/1.1 at h" + " length 0 keep [Host|h] left 0"),
                accepted(
                        "GET HTTPS://h?x HTTP/1.1\r\nHost: H\r\n\r\n",
                        "GET HTTPS://h?x path / query x HTTP/1.1 at h" + " length 0 keep [Host|H] left 0"),
                accepted(
                        "GET http://[::1]:80/a/../b HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
                        "GET"
                                + " http://[::1]:80/a/../b path /b query null HTTP/1.1 at [::1]:80 length 0 keep"
                                + " [Host|[::1]:80] left 0"),
                accepted(
                        "OPTIONS * HTTP/1.1\r\nHost:\r\n\r\n",
                        "OPTIONS * path * query null HTTP/1.1 at null length 0" + " keep [Host|] left 0"),
                accepted(
                        "OPTIONS http://h HTTP/1.1\r\nHost: h\r\n\r\n",
                        "OPTIONS http://h path * query null HTTP/1.1" + " at h length 0 keep [Host|h] left 0"),
                accepted(
                        "CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n",
                        "CONNECT h:443 path  query null HTTP/1.1 at" + " h:443 length 0 keep [Host|h:443] left 0"),
                accepted("GET / HTTP/1.0\r\n\r\n", "GET / path / query null HTTP/1.0 at null length 0 close left 0"),
                accepted(
                        "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
                        "GET / path / query null HTTP/1.0 at null" + " length 0 keep [Connection|Keep-Alive] left 0"),
                accepted(
                        "GET / HTTP/1.1\r\nHost: h\r\nConnection: x, Close ,y\r\n\r\n",
                        "GET / path / query null"
                                + " HTTP/1.1 at h length 0 close [Host|h] [Connection|x, Close ,y] left 0"),
                accepted(
                        "GET / HTTP/1.9\r\nHost: h\r\n\r\n",
                        "GET / path / query null HTTP/1.1 at h length 0 keep" + " [Host|h] left 0"),
                accepted(
                        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nExpect: 100-Continue\r\n\r\nhello",
                        "POST"
                                + " / path / query null HTTP/1.1 at h length 5 keep expects [Host|h] [Content-Length|5]"
                                + " [Expect|100-Continue] left 5"),
                accepted(
                        "POST / HTTP/1.0\r\nContent-Length: 5\r\nExpect: nonsense\r\n\r\n",
                        "POST / path / query null"
                                + " HTTP/1.0 at null length 5 close [Content-Length|5] [Expect|nonsense] left 0"),
                accepted(
                        "POST / HTTP/1.1\r\nHost: h\r\ntransfer-encoding: Chunked\r\n\r\n",
                        "POST / path / query null"
                                + " HTTP/1.1 at h length -1 keep [Host|h] [transfer-encoding|Chunked] left 0"),
                accepted(
                        "M-SEARCH / HTTP/1.1\r\nHost: h\r\nX: \u00e9\t\u0080\r\nempty:\r\n\r\n",
                        "M-SEARCH / path /"
                                + " query null HTTP/1.1 at h length 0 keep [Host|h] [X|\u00e9\t\u0080] [empty|] left 0"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void refuses(String input, RequestFault expected) {
        assertEquals(expected.name(), Heads.whole(Octets.ascii(input), OPTIONS));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void refusesByteByByte(String input, RequestFault expected) {
        assertEquals(expected.name(), Heads.byteByByte(Octets.ascii(input), OPTIONS));
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void accepts(String input, String expected) {
        assertEquals(expected, Heads.whole(Octets.ascii(input), OPTIONS));
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void acceptsByteByByte(String input, String expected) {
        assertEquals(expected, Heads.byteByByte(Octets.ascii(input), OPTIONS));
    }

    @Test
    void limitsTheRequestLine() {
        Settings small = OPTIONS.with(MAX_REQUEST_HEADER_SIZE, 64).with(MAX_RESPONSE_HEADER_SIZE, 64);
        assertSameBothWays("LINE_TOO_LONG", "GET /" + "a".repeat(100) + " HTTP/1.1\r\nHost: h\r\n\r\n", small);
    }

    @Test
    void limitsTheHead() {
        Settings small = OPTIONS.with(MAX_REQUEST_HEADER_SIZE, 64).with(MAX_RESPONSE_HEADER_SIZE, 64);
        assertSameBothWays("HEAD_TOO_LARGE", "GET / HTTP/1.1\r\nHost: h\r\nX: " + "a".repeat(100) + "\r\n\r\n", small);
    }

    @Test
    void takesAHeadOfExactlyTheLimit() {
        String head = "GET / HTTP/1.1\r\nHost: h\r\nX: \r\n\r\n";
        String filled = head.replace("X: ", "X: " + "a".repeat(64 - head.length()));
        Settings small = OPTIONS.with(MAX_REQUEST_HEADER_SIZE, 64).with(MAX_RESPONSE_HEADER_SIZE, 64);
        assertEquals(64, filled.length());
        assertEquals("GET", Heads.whole(Octets.ascii(filled), small).substring(0, 3));
        assertEquals("GET", Heads.byteByByte(Octets.ascii(filled), small).substring(0, 3));
        assertSameBothWays("HEAD_TOO_LARGE", filled.replace("X: ", "X: a"), small);
    }

    @Test
    void limitsTheNumberOfFields() {
        Settings small = OPTIONS.with(MAX_HEADER_COUNT, 3);
        assertSameBothWays("TOO_MANY_FIELDS", "GET / HTTP/1.1\r\nHost: h\r\na:\r\nb:\r\nc:\r\n\r\n", small);
        assertEquals(
                "GET",
                Heads.whole(Octets.ascii("GET / HTTP/1.1\r\nHost: h\r\na:\r\nb:\r\n\r\n"), small)
                        .substring(0, 3));
    }

    @Test
    void relaxesWhatItIsTold() {
        Settings relaxed = OPTIONS.with(RELAXED_PATH_CHARS, "|[]").with(RELAXED_QUERY_CHARS, "{}");
        String head = "GET /a|[b]?{c} HTTP/1.1\r\nHost: h\r\n\r\n";
        assertEquals(
                "GET /a|[b]?{c} path /a|[b] query {c}",
                Heads.whole(Octets.ascii(head), relaxed).substring(0, 36));
    }

    @ParameterizedTest
    @CsvSource({
        "B@d: 1, [Host|h] [C|2]",
        "Bad : 1, [Host|h] [C|2]",
        ": 1, [Host|h] [C|2]",
        "Bad: x<1>, [Host|h] [C|2]",
        "Content-Length : 1, BAD_FIELD_NAME",
        "Transfer-Encoding<1>: chunked, BAD_FIELD_NAME",
        "Host<1>: other, BAD_FIELD_NAME",
        "Content-Length: 1<1>, BAD_FIELD_VALUE",
        "B@d: 1<10>x, BARE_LF",
        "B@d: 1<13>x, BARE_CR"
    })
    void leavesOutAMalformedFieldIfToldUnlessItConcernsFraming(String line, String expected) {
        Settings lenient = OPTIONS.with(REJECT_ILLEGAL_HEADER, false);
        byte[] head = Octets.ascii(("GET / HTTP/1.1~Host: h~" + line + "~C: 2~~")
                .replace("~", "\r\n")
                .replace("<1>", "\u0001")
                .replace("<10>", "\n")
                .replace("<13>", "\r"));
        String whole = Heads.whole(head, lenient);
        assertEquals(Heads.byteByByte(head, lenient), whole);
        assertTrue(whole.contains(expected), whole);
    }

    @Test
    void decodesPathsByTheCharsetGiven() {
        Settings latin = OPTIONS.with(URI_ENCODING, StandardCharsets.ISO_8859_1);
        String head = "GET /%e9 HTTP/1.1\r\nHost: h\r\n\r\n";
        assertTrue(Heads.whole(Octets.ascii(head), latin).startsWith("GET /%e9 path /\u00e9 "));
        assertEquals("BAD_PATH", Heads.whole(Octets.ascii(head), OPTIONS));
        assertThrows(IllegalArgumentException.class, () -> OPTIONS.with(URI_ENCODING, StandardCharsets.UTF_16));
    }

    @Test
    void handlesEncodedSlashesAsTold() {
        Settings decode = OPTIONS.with(ENCODED_SOLIDUS_HANDLING, EncodedSlash.DECODE);
        String head = "GET /a%2fb HTTP/1.1\r\nHost: h\r\n\r\n";
        assertEquals(
                "GET /a%2fb path /a/b ", Heads.whole(Octets.ascii(head), decode).substring(0, 21));
    }

    @Test
    void letsHostsDifferIfTold() {
        Settings lenient = OPTIONS.with(ALLOW_HOST_HEADER_MISMATCH, true);
        String head = "GET http://other/ HTTP/1.1\r\nHost: h\r\n\r\n";
        assertEquals(
                "GET http://other/ path / query null HTTP/1.1 at other length 0 keep [Host|h] left 0",
                Heads.whole(Octets.ascii(head), lenient));
    }

    @Test
    void readsManyHeadsOutOfOneBuffer() {
        String head = "GET /number HTTP/1.1\r\nHost: h\r\nUser-Agent: test\r\n\r\n";
        ByteBuffer in = Heads.direct(Octets.ascii(head.repeat(100)));
        RequestHeadParser parser = new RequestHeadParser(new Http1Rules(OPTIONS, "http"));
        for (int i = 0; i < 100; i++) {
            assertEquals(Parsing.COMPLETE, parser.parse(in));
            assertEquals("/number", parser.head().path().decoded());
            assertEquals((99 - i) * head.length(), in.remaining());
            parser.next();
        }
        assertEquals(Parsing.NEED_MORE, parser.parse(in));
    }

    @Test
    void makesNoStringsForWhatIsUsual() {
        Http1Rules rules = new Http1Rules(OPTIONS, "http");
        byte[] head = Octets.ascii("GET /same HTTP/1.1\r\nhost: h\r\n\r\n");
        RequestHeadParser first = new RequestHeadParser(rules);
        RequestHeadParser second = new RequestHeadParser(rules);
        first.parse(Heads.direct(head));
        second.parse(Heads.direct(head));
        assertSame(first.head().method(), second.head().method());
        assertSame(first.head().path(), second.head().path());
        assertSame(first.head().target(), second.head().path().raw());
        assertSame(first.head().headers().name(0), second.head().headers().name(0));
        assertNull(first.head().query());
    }

    private static void assertSameBothWays(String expected, String input, Settings options) {
        assertEquals(expected, Heads.whole(Octets.ascii(input), options));
        assertEquals(expected, Heads.byteByByte(Octets.ascii(input), options));
    }

    private static String head(String fields) {
        return "POST / HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n\r\n";
    }

    private static Arguments refused(String input, RequestFault expected) {
        return Arguments.of(input, expected);
    }

    private static Arguments accepted(String input, String expected) {
        return Arguments.of(input, expected);
    }
}
