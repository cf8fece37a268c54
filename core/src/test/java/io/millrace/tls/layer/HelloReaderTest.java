package io.millrace.tls.layer;

import static io.millrace.tls.layer.Hellos.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class HelloReaderTest {

    @Test
    void findsHostNameAndProtocols() {
        byte[] hello = records(
                hello(extension(10, new byte[4]), serverName("WWW.Example.org"), alpn("h2", "http/1.1")), 9_999);
        assertEquals("ClientHello[serverName=www.example.org, protocols=[h2, http/1.1]]", read(hello, 16_000));
    }

    @Test
    void needsNoExtensions() {
        assertEquals("ClientHello[serverName=null, protocols=[]]", read(records(hello(), 9_999), 16_000));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 100", "3, 1", "7, 5", "100, 1", "100, 33"})
    void findsTheSameInSmallRecordsAndSmallPieces(int record, int piece) {
        byte[] hello = records(hello(serverName("a.b"), alpn("x")), record);
        assertEquals("ClientHello[serverName=a.b, protocols=[x]]", read(hello, piece));
    }

    @ParameterizedTest
    @CsvSource({"16000, 16384", "16000, 100", "500, 16384", "500, 1", "5, 16384"})
    void findsWhatIsLongerThanARecord(int record, int piece) {
        int size = record == 5 ? 12_000 : 28_000;
        byte[] hello = records(hello(extension(51, new byte[size]), serverName("a.b")), record);
        assertEquals("ClientHello[serverName=a.b, protocols=[]]", read(hello, piece));
    }

    @Test
    void passesNamesOverThatAreNoHosts() {
        byte[] host = join(new byte[] {0}, vector(2, ascii("a.b")));
        byte[] other = join(new byte[] {7}, vector(2, new byte[] {1, 2, 3}));
        byte[] names = extension(0, vector(2, join(other, host, other)));
        assertEquals("ClientHello[serverName=a.b, protocols=[]]", read(records(hello(names), 999), 100));
        byte[] twoHosts = extension(0, vector(2, join(host, other, host)));
        assertEquals("MALFORMED", read(records(hello(twoHosts), 999), 100));
    }

    @ParameterizedTest
    @CsvSource({
        "GET / HTTP/1.1, PLAIN_HTTP",
        "PRI * HTTP/2.0, PLAIN_HTTP",
        "SSH-2.0, NOT_TLS",
        "GE, MORE",
        "AAAAAAAAAAAAAAAAA, NOT_TLS",
        "get / HTTP/1.1, NOT_TLS"
    })
    void tellsHttpFromOtherProtocols(String text, String found) {
        assertEquals(found, read(ascii(text), 100));
        assertEquals(found, read(ascii(text), 1));
    }

    static Stream<Arguments> malformed() {
        byte[] name = serverName("a");
        byte[] hello = hello(name);
        return Stream.of(
                Arguments.of("another message", records(join(new byte[] {2}, vector(3, new byte[50])), 999)),
                Arguments.of("an empty record", join(new byte[] {22, 3, 1, 0, 0}, records(hello, 999))),
                Arguments.of(
                        "an alert between the records",
                        join(Arrays.copyOf(records(hello, 20), 25), new byte[] {21, 3, 3, 0, 2})),
                Arguments.of("a record too long", new byte[] {22, 3, 1, 0x40, 1, 1}),
                Arguments.of("two server names", records(hello(name, name), 999)),
                Arguments.of("an empty name", records(hello(serverName("")), 999)),
                Arguments.of("a name with a slash", records(hello(serverName("a/b")), 999)),
                Arguments.of("a name with a line end", records(hello(serverName("a\r\nb")), 999)),
                Arguments.of("an empty protocol name", records(hello(alpn("")), 999)),
                Arguments.of("no protocol names", records(hello(alpn()), 999)),
                Arguments.of("an extension cut short", records(hello(new byte[] {0, 1, 0, 9, 1}), 999)),
                Arguments.of(
                        "bytes after the extensions",
                        records(
                                join(
                                        new byte[] {1},
                                        vector(3, join(Arrays.copyOfRange(hello, 4, hello.length), new byte[1]))),
                                999)),
                Arguments.of("a body of one byte", records(new byte[] {1, 0, 0, 1, 3}, 999)),
                Arguments.of("no body", records(new byte[] {1, 0, 0, 0, 0}, 999)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformed")
    void refuses(String what, byte[] bytes) {
        assertEquals("MALFORMED", read(bytes, 16_000), what);
        assertEquals("MALFORMED", read(bytes, 1), what);
    }

    @Test
    void waitsForNoMoreThanItsLimit() {
        byte[] endless = records(join(new byte[] {1}, vector(3, new byte[40_000])), 16_000);
        assertEquals("TOO_LARGE", read(endless, 16_000));
        assertEquals("TOO_LARGE", read(endless, 1));
        byte[] tiny = records(join(new byte[] {1}, vector(3, new byte[16_000])), 1);
        assertEquals("TOO_LARGE", read(tiny, 1_000));
        assertEquals("TOO_LARGE", read(tiny, 1));
    }

    /** The fuzz target: never throws, has a bounded buffer, and the result does not depend on how the input is split. */
    static void fuzz(byte[] input) {
        String whole = read(input, 16_000);
        assertEquals(whole, read(input, 1));
        assertEquals(whole, read(input, 7));
    }

    @Test
    void readsAnythingWholeAsByteByByte() {
        Random random = new Random(8446);
        byte[][] corpus = {
            records(hello(serverName("www.example.org"), alpn("h2", "http/1.1"), extension(43, new byte[3])), 9_999),
            records(hello(serverName("a.b"), alpn("x")), 5),
            records(hello(), 30),
            ascii("GET / HTTP/1.1\r\n\r\n")
        };
        for (byte[] seed : corpus) {
            fuzz(seed);
            for (int i = 0; i < 400; i++) {
                byte[] mutant = seed.clone();
                for (int changes = random.nextInt(3); changes >= 0; changes--) {
                    mutant[random.nextInt(mutant.length)] =
                            (byte) (random.nextBoolean() ? random.nextInt(256) : random.nextInt(4));
                }
                fuzz(random.nextInt(4) == 0 ? Arrays.copyOf(mutant, random.nextInt(mutant.length + 1)) : mutant);
            }
        }
        assertNotEquals("MORE", read(corpus[0], 16_000));
    }
}
