package io.millrace.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import io.millrace.http.ResponseHead;
import io.millrace.io.Payload;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResponseWriterTest {

    private final Http1Rules rules = new Http1Rules(Settings.DEFAULTS, "http");

    @Test
    void countsTheBodyThatComesWithItsHead() {
        ResponseWriter writer = writer("GET", HttpVersion.HTTP_1_1);
        assertEquals("HTTP/1.1 200 OK~Content-Length: 2~~hi", write(writer, new ResponseHead(), "hi", true));
        assertTrue(writer.isPersistent());
    }

    @Test
    void chunksABodyOfUnknownLength() {
        ResponseWriter writer = writer("GET", HttpVersion.HTTP_1_1);
        assertEquals("HTTP/1.1 200 OK~Transfer-Encoding: chunked~~", write(writer, new ResponseHead(), "", false));
        assertEquals("10~0123456789abcdef~", write(writer, null, "0123456789abcdef", false));
        assertEquals("", write(writer, null, "", false));
        assertEquals("1~x~0~~", write(writer, null, "x", true));
        assertTrue(writer.isFinished());
    }

    @Test
    void endsAChunkedBodyWithNothingMore() {
        ResponseWriter writer = writer("GET", HttpVersion.HTTP_1_1);
        write(writer, new ResponseHead(), "ab", false);
        assertEquals("0~~", write(writer, null, "", true));
    }

    @Test
    void closesAfterABodyOfUnknownLengthInHttp10() {
        ResponseWriter writer = writer("GET", HttpVersion.HTTP_1_0);
        assertEquals("HTTP/1.1 200 OK~Connection: close~~ab", write(writer, new ResponseHead(), "ab", false));
        assertEquals("c", write(writer, null, "c", true));
        assertFalse(writer.isPersistent());
    }

    @Test
    void tellsAnOldClientThatTheConnectionStays() {
        ResponseWriter writer = writer("GET", HttpVersion.HTTP_1_0);
        String sent = write(writer, new ResponseHead(), "ab", true);
        assertEquals("HTTP/1.1 200 OK~Content-Length: 2~Connection: keep-alive~~ab", sent);
    }

    @ParameterizedTest
    @CsvSource({"204, No Content", "304, Not Modified"})
    void sendsNoBodyWhereThereIsNone(int status, String reason) {
        ResponseWriter writer = writer("GET", HttpVersion.HTTP_1_1);
        String sent = write(writer, new ResponseHead().status(status), "ignored", true);
        assertEquals("HTTP/1.1 " + status + " " + reason + "~~", sent);
    }

    @Test
    void tellsTheLengthOfWhatHasNotChanged() {
        ResponseHead head = new ResponseHead().status(304).contentLength(7);
        assertEquals(
                "HTTP/1.1 304 Not Modified~Content-Length: 7~~",
                write(writer("GET", HttpVersion.HTTP_1_1), head, "", true));
    }

    @Test
    void answersHeadLikeGetWithoutTheBody() {
        ResponseWriter known = writer("HEAD", HttpVersion.HTTP_1_1);
        String expected = "HTTP/1.1 200 OK~Content-Length: 5~~";
        assertEquals(expected, write(known, new ResponseHead().contentLength(5), "", true));
        assertEquals(expected, write(writer("HEAD", HttpVersion.HTTP_1_1), new ResponseHead(), "hello", true));
        ResponseWriter streaming = writer("HEAD", HttpVersion.HTTP_1_1);
        assertEquals("HTTP/1.1 200 OK~~", write(streaming, new ResponseHead(), "hel", false));
        assertEquals("", write(streaming, null, "lo", true));
        assertTrue(streaming.isPersistent());
    }

    @Test
    void keepsTheFieldsThatAreItsOwn() {
        ResponseHead head = new ResponseHead();
        head.headers()
                .add("Content-Length", "99")
                .add("transfer-encoding", "gzip")
                .add("Connection", "x, close")
                .add("X", "y");
        ResponseWriter writer = writer("GET", HttpVersion.HTTP_1_1);
        assertEquals("HTTP/1.1 200 OK~X: y~Content-Length: 1~Connection: close~~a", write(writer, head, "a", true));
    }

    @Test
    void tellsWhatTheClientMayUpgradeTo() {
        ResponseHead head = new ResponseHead().status(426);
        head.headers().add("Upgrade", "h2c");
        String sent = write(writer("GET", HttpVersion.HTTP_1_1), head, "", true);
        assertEquals("HTTP/1.1 426 Upgrade Required~Upgrade: h2c~Content-Length: 0~Connection: Upgrade~~", sent);
    }

    @Test
    void cannotBeSplit() {
        ResponseHead head = new ResponseHead().reason("fine\r\nX: y");
        head.headers()
                .add("Location", "/\r\nSet-Cookie: a=b\r\n\r\n<html>")
                .add("A\r\nB", "c")
                .add("", "d")
                .add("W\u0130de", "e")
                .add("Wide", "\u560d\u560a\u4f60\u00e9");
        String sent = write(writer("GET", HttpVersion.HTTP_1_1), head, "", true);
        assertEquals(
                "HTTP/1.1 200 fine  X: y~Location: /  Set-Cookie: a=b    <html>~Wide: ???\u00e9~Content-Length: 0~~",
                sent);
    }

    @Test
    void refusesABodyLongerThanAnnounced() {
        ResponseWriter writer = writer("GET", HttpVersion.HTTP_1_1);
        ResponseHead head = new ResponseHead().contentLength(3);
        assertThrows(IllegalStateException.class, () -> write(writer, head, "four", true));
        assertFalse(writer.isPersistent());
    }

    @Test
    void closesAfterABodyShorterThanAnnounced() {
        ResponseWriter writer = writer("GET", HttpVersion.HTTP_1_1);
        write(writer, new ResponseHead().contentLength(3), "ab", true);
        assertFalse(writer.isPersistent());
    }

    @Test
    void takesOneHead() {
        ResponseWriter writer = writer("GET", HttpVersion.HTTP_1_1);
        assertThrows(IllegalStateException.class, () -> write(writer, null, "a", false));
        write(writer, new ResponseHead(), "a", false);
        assertThrows(IllegalStateException.class, () -> write(writer, new ResponseHead(), "a", false));
        write(writer, null, "a", true);
        assertThrows(IllegalStateException.class, () -> write(writer, null, "a", true));
    }

    @Test
    void datesEveryResponse() {
        ResponseWriter writer = writer("GET", HttpVersion.HTTP_1_1);
        String sent = text(writer.write(new ResponseHead(), Payload.NOTHING, true));
        assertTrue(sent.matches("(?s).*\r\nDate: \\w{3}, \\d{2} \\w{3} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT\r\n.*"), sent);
    }

    private ResponseWriter writer(String method, HttpVersion version) {
        RequestPath path = new RequestPath("/", "/", null);
        RequestHead request = new RequestHead(method, "/", path, null, version, "http", "h", new Headers(), 0);
        return new ResponseWriter(rules, request, true, false);
    }

    /** The sent text, without the date, with a tilde for each end of line. */
    private static String write(ResponseWriter writer, @Nullable ResponseHead head, String body, boolean last) {
        Payload payload = Payload.of(ByteBuffer.wrap(Octets.ascii(body)));
        String sent = text(writer.write(head, payload, last));
        return sent.replaceFirst("Date: [^\r]*\r\n", "").replace("\r\n", "~");
    }

    private static String text(Payload... writes) {
        StringBuilder sent = new StringBuilder();
        for (Payload write : writes) {
            for (ByteBuffer part : ((Payload.Bytes) write).buffers()) {
                sent.append(StandardCharsets.ISO_8859_1.decode(part));
            }
        }
        return sent.toString();
    }
}
