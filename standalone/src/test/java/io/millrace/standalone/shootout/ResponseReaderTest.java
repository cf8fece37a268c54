package io.millrace.standalone.shootout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The reader of responses … */
final class ResponseReaderTest {

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.replace("|", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    /** In one piece, and a byte at a time; the same reader reads it twice. */
    @ParameterizedTest
    @CsvSource({
        "'HTTP/1.1 200 |content-length: 5||hello', 200, 5",
        "'HTTP/1.1 200 OK|Content-Length:0||', 200, 0",
        "'HTTP/1.1 404 Not Found|Server: x|CONTENT-LENGTH:  3|||a', 404, 3",
        "'HTTP/1.1 204 |Content-Length: 9||', 204, 0",
        "'HTTP/1.1 304 ||', 304, 0",
        "'HTTP/1.1 200 |Transfer-Encoding: chunked||5|hello|0||', 200, 5",
        "'HTTP/1.1 200 |Transfer-Encoding: gzip, Chunked||A;x=1f|0123456789|1|x|00|Trailer: 1|Other: 2||', 200, 11",
        "'HTTP/1.1 103 |Link: x||HTTP/1.1 200 |Content-Length: 1||x', 200, 1"
    })
    void findsTheEndOfAResponse(String text, int status, long length) throws IOException {
        ResponseReader reader = new ResponseReader();
        for (int turn = 1; turn <= 2; turn++) {
            ByteBuffer all = bytes(text);
            assertTrue(reader.read(all), text);
            assertFalse(all.hasRemaining());
            assertEquals(status, reader.status());
            assertEquals(turn * length, reader.body());
            assertTrue(reader.isBetween());
        }
        ByteBuffer all = bytes(text);
        for (int i = 0; i < all.capacity(); i++) {
            all.limit(i + 1);
            assertEquals(i == all.capacity() - 1, reader.read(all), text + " at " + i);
        }
        assertEquals(3 * length, reader.body());
    }

    @ParameterizedTest
    @CsvSource({
        "'HTTP/1.1 200 |Connection: Close|Content-Length: 0||', true",
        "'HTTP/1.1 200 |Connection: keep-alive|Content-Length: 0||', false",
        "'HTTP/1.0 200 |Content-Length: 0||', true"
    })
    void seesWhetherTheConnectionEnds(String text, boolean closes) throws IOException {
        ResponseReader reader = new ResponseReader();
        assertTrue(reader.read(bytes(text)));
        assertEquals(closes, reader.closes());
    }

    @Test
    void readsABodyToTheEndOfTheConnection() throws IOException {
        ResponseReader reader = new ResponseReader();
        assertFalse(reader.read(bytes("HTTP/1.1 200 ||some")));
        assertFalse(reader.read(bytes("more")));
        assertTrue(reader.endsWithConnection());
        assertEquals(8, reader.body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH_9.2p1||",
                "HTTP/1.1 200 |Content-Length: x||",
                "HTTP/1.1 200 |Content-Length: 99999999999999999999||",
                "HTTP/1.1 200 |Transfer-Encoding: chunked||hello|",
                "HTTP/1.1 200 |Transfer-Encoding: chunked|||",
                "HTTP/1.1 200 |Transfer-Encoding: chunked||fffffffffffffff|"
            })
    void refusesWhatIsNoResponse(String text) {
        assertThrows(IOException.class, () -> new ResponseReader().read(bytes(text)));
    }

    @Test
    void refusesAnEndlessHead() {
        String text = "HTTP/1.1 200 |" + "a: b|".repeat(20_000);
        assertThrows(IOException.class, () -> new ResponseReader().read(bytes(text)));
    }
}
