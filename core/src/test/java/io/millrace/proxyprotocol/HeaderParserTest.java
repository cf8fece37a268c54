package io.millrace.proxyprotocol;

import static io.millrace.proxyprotocol.Blocks.LOCAL;
import static io.millrace.proxyprotocol.Blocks.PROXY;
import static io.millrace.proxyprotocol.Blocks.TCP4;
import static io.millrace.proxyprotocol.Blocks.checked;
import static io.millrace.proxyprotocol.Blocks.field;
import static io.millrace.proxyprotocol.Blocks.header;
import static io.millrace.proxyprotocol.Blocks.textField;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.FrontEnd;
import io.millrace.io.FrontEndNotes;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Of a header it … */
class HeaderParserTest {

    private static final String ZEROS = "00".repeat(216);

    @Test
    void takesAddressesAndPortsOfVersion1() throws Exception {
        ProxyHeader ipv4 = read("PROXY TCP4 198.51.100.7 192.0.2.1 4711 443\r\n");
        assertEquals("/198.51.100.7:4711 /192.0.2.1:443", ipv4.source() + " " + ipv4.destination());
        ProxyHeader ipv6 = read("PROXY TCP6 2001:db8::7 ::1 0 65535\r\n");
        assertEquals("/[2001:db8:0:0:0:0:0:7]:0 /[0:0:0:0:0:0:0:1]:65535", ipv6.source() + " " + ipv6.destination());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PROXY UNKNOWN\r\n",
                "PROXY UNKNOWN ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535\r\n",
                "PROXY UNKNOWN whatever it is\r\n"
            })
    void believesNoAddressThatItsFrontEndDoesNotKnow(String line) throws Exception {
        assertEquals(ProxyHeader.UNKNOWN, read(line));
    }

    @Test
    void takesTheLongestLineThatIsAllowed() throws Exception {
        String address = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";
        String line = "PROXY UNKNOWN " + address + " " + address + " 65535 65535\r\n";
        assertEquals(HeaderParser.MAX_LINE, line.length());
        assertEquals(ProxyHeader.UNKNOWN, read(line));
    }

    @Test
    void takesAddressesAndPortsOfVersion2() throws Exception {
        ProxyHeader ipv4 = read(header(PROXY, 0x11, TCP4));
        assertEquals("/198.51.100.7:4711 /192.0.2.1:443", ipv4.source() + " " + ipv4.destination());
        String seven = "20010db8000000000000000000000007";
        ProxyHeader ipv6 = read(header(PROXY, 0x21, seven, seven, "ffff", "0000"));
        assertEquals(
                "/[2001:db8:0:0:0:0:0:7]:65535 /[2001:db8:0:0:0:0:0:7]:0", ipv6.source() + " " + ipv6.destination());
        String path = HexFormat.of().formatHex("/run/a.sock".getBytes(StandardCharsets.US_ASCII));
        ProxyHeader unix = read(header(PROXY, 0x31, path, ZEROS.substring(path.length())));
        assertEquals(UnixDomainSocketAddress.of("/run/a.sock"), unix.source());
        assertEquals(UnixDomainSocketAddress.of(""), unix.destination());
    }

    @Test
    void takesNothingFromAFrontEndThatSpeaksForItself() throws Exception {
        assertEquals(ProxyHeader.LOCAL, read(header(LOCAL, 0x00)));
        assertEquals(ProxyHeader.LOCAL, read(header(LOCAL, 0xff, "0102030405")));
    }

    @Test
    void takesWhatTheFrontEndSaysOfTls() throws Exception {
        String tls = "07" + "00000000" + textField(0x21, "TLSv1.3") + textField(0x22, "Ada")
                + textField(0x23, "TLS_AES_128_GCM_SHA256");
        FrontEnd said = read(header(
                        PROXY,
                        0x11,
                        TCP4,
                        textField(0x01, "h2"),
                        textField(0x02, "www.example.org"),
                        field(0x04, "0000"),
                        field(0x05, "00ff"),
                        field(0xe0, "01"),
                        field(0x20, tls)))
                .frontEnd();
        assertEquals(
                new FrontEnd(
                        true,
                        "TLSv1.3",
                        "TLS_AES_128_GCM_SHA256",
                        "Ada",
                        "www.example.org",
                        "h2",
                        "00ff",
                        FrontEndNotes.NONE),
                said);
    }

    @Test
    void namesNoClientWhoseCertificateWasNotVerified() throws Exception {
        FrontEnd said = read(header(PROXY, 0x11, TCP4, field(0x20, "0700000001" + textField(0x22, "Eve"))))
                .frontEnd();
        assertNotNull(said);
        assertTrue(said.secure());
        assertNull(said.clientName());
    }

    @Test
    void isNotSecureBecauseOfAFieldThatSaysItIsNot() throws Exception {
        FrontEnd said =
                read(header(PROXY, 0x11, TCP4, field(0x20, "0000000000"))).frontEnd();
        assertNotNull(said);
        assertFalse(said.secure());
    }

    @Test
    void keepsFieldsWithoutAddresses() throws Exception {
        ProxyHeader unspecified = read(header(PROXY, 0x00, textField(0x02, "www.example.org")));
        assertNull(unspecified.source());
        assertNotNull(unspecified.frontEnd());
        assertEquals("www.example.org", unspecified.frontEnd().serverName());
    }

    @Test
    void checksTheChecksum() throws Exception {
        assertEquals(FrontEnd.SILENT, read(checked(0, field(0x04, "00"))).frontEnd());
        assertRefused(checked(1, field(0x04, "00")), "its checksum is wrong");
    }

    static Stream<Arguments> refusedLines() {
        return Stream.of(
                Arguments.of("PROXY TCP4 1.2.3.4 5.6.7.8 1 2\n", "its line does not end with"),
                Arguments.of("PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\r\n", "its line does not end with"),
                Arguments.of("PROXY TCP4 1.2.3.4 5.6.7.8 1\r2\r\n", "its line does not end with"),
                Arguments.of("PROXY UNKNOWN" + " ".repeat(95), "longer than 107"),
                Arguments.of("PROXY UDP4 1.2.3.4 5.6.7.8 1 2\r\n", "its protocol is not"),
                Arguments.of("PROXY \r\n", "its protocol is not"),
                Arguments.of("PROXY tcp4 1.2.3.4 5.6.7.8 1 2\r\n", "its protocol is not"),
                Arguments.of("PROXY TCP4\r\n", "it does not have two addresses"),
                Arguments.of("PROXY TCP4 1.2.3.4 5.6.7.8 1 2 \r\n", "it does not have two addresses"),
                Arguments.of("PROXY TCP4 1.2.3.4 5.6.7.8 1 2 3\r\n", "it does not have two addresses"),
                Arguments.of("PROXY TCP4  1.2.3.4 5.6.7.8 1\r\n", "not an IPv4 address"),
                Arguments.of("PROXY TCP4 1.2.3 5.6.7.8 1 2\r\n", "not an IPv4 address"),
                Arguments.of("PROXY TCP4 1.2.3.256 5.6.7.8 1 2\r\n", "not an IPv4 address"),
                Arguments.of("PROXY TCP4 1.2.3.04 5.6.7.8 1 2\r\n", "not an IPv4 address"),
                Arguments.of("PROXY TCP4 localhost 5.6.7.8 1 2\r\n", "not an IPv4 address"),
                Arguments.of("PROXY TCP4 ::1 5.6.7.8 1 2\r\n", "not an IPv4 address"),
                Arguments.of("PROXY TCP6 1.2.3.4 ::1 1 2\r\n", "not an IPv6 address"),
                Arguments.of("PROXY TCP6 [::1] ::1 1 2\r\n", "not an IPv6 address"),
                Arguments.of("PROXY TCP6 fe80::1%eth0 ::1 1 2\r\n", "not an IPv6 address"),
                Arguments.of("PROXY TCP6 ::1 :::1 1 2\r\n", "not an IPv6 address"),
                Arguments.of("PROXY TCP4 1.2.3.4 5.6.7.8 65536 2\r\n", "one of its ports"),
                Arguments.of("PROXY TCP4 1.2.3.4 5.6.7.8 1 02\r\n", "one of its ports"),
                Arguments.of("PROXY TCP4 1.2.3.4 5.6.7.8 -1 2\r\n", "one of its ports"),
                Arguments.of("PROXY TCP4 1.2.3.4 5.6.7.8 1 \r\n", "one of its ports"));
    }

    @ParameterizedTest
    @MethodSource("refusedLines")
    void refusesALineOfVersion1(String line, String why) {
        assertRefused(line.getBytes(StandardCharsets.ISO_8859_1), why);
    }

    static Stream<Arguments> refusedBlocks() {
        String twice = textField(0x02, "a") + textField(0x02, "b");
        return Stream.of(
                Arguments.of(header(0x11, 0x11, TCP4), "its version is 1"),
                Arguments.of(header(0x22, 0x11, TCP4), "its command is 2"),
                Arguments.of(header(PROXY, 0x10, TCP4), "which is not assigned"),
                Arguments.of(header(PROXY, 0x13, TCP4), "which is not assigned"),
                Arguments.of(header(PROXY, 0x01, TCP4), "which is not assigned"),
                Arguments.of(header(PROXY, 0x41, ZEROS), "which is not assigned"),
                Arguments.of(header(PROXY, 0x11), "take 12 bytes, but only 0"),
                Arguments.of(header(PROXY, 0x21, TCP4), "take 36 bytes, but only 12"),
                Arguments.of(header(PROXY, 0x31, TCP4), "take 216 bytes"),
                Arguments.of(header(PROXY, 0x11, TCP4, "04"), "truncated before its length"),
                Arguments.of(header(PROXY, 0x11, TCP4, "0400"), "truncated before its length"),
                Arguments.of(header(PROXY, 0x11, TCP4, "040001"), "announces 1 bytes, but only 0"),
                Arguments.of(header(PROXY, 0x11, TCP4, "04ffff00"), "announces 65535 bytes"),
                Arguments.of(header(PROXY, 0x11, TCP4, field(0x20, "01000000")), "expected at least 5"),
                Arguments.of(header(PROXY, 0x11, TCP4, field(0x20, "0100000000210001")), "announces 1 bytes"),
                Arguments.of(header(PROXY, 0x11, TCP4, field(0x05, "00".repeat(129))), "at most 128"),
                Arguments.of(header(PROXY, 0x11, TCP4, field(0x03, "0000")), "checksum"),
                Arguments.of(header(PROXY, 0x11, TCP4, twice), "twice"),
                Arguments.of(header(PROXY, 0x11, 0xffff, new byte[0]), "at most 8192"),
                Arguments.of(header(PROXY, 0x11, 8193, new byte[0]), "at most 8192"));
    }

    @ParameterizedTest
    @MethodSource("refusedBlocks")
    void refusesABlockOfVersion2(byte[] header, String why) {
        assertRefused(header, why);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1",
                "PRI * HTTP/2.0",
                "POST /",
                "PROXIES",
                "PROXY\r\n",
                "\r\n\r\nGET",
                "\u0016\u0003\u0001"
            })
    void seesThatThereIsNone(String text) {
        HeaderParser parser = new HeaderParser();
        assertEquals(HeaderState.ABSENT, parser.take(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "P", "PROXY", "\r\n\r\n", "\r\n\r\n\u0000\r\nQUIT"})
    void waitsWhileThereMayBeOne(String text) {
        HeaderParser parser = new HeaderParser();
        assertEquals(HeaderState.START, parser.take(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1))));
    }

    @Test
    void leavesTheBytesThatFollow() {
        ByteBuffer input = ByteBuffer.wrap("PROXY UNKNOWN\r\nGET /".getBytes(StandardCharsets.US_ASCII));
        new HeaderParser().take(input);
        assertEquals("GET /", StandardCharsets.US_ASCII.decode(input).toString());
    }

    private static ProxyHeader read(String line) throws BadHeaderException {
        return read(line.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static ProxyHeader read(byte[] header) throws BadHeaderException {
        HeaderParser parser = new HeaderParser();
        assertEquals(HeaderState.COMPLETE, parser.take(ByteBuffer.wrap(header)), parser::defect);
        return parser.header();
    }

    private static void assertRefused(byte[] header, String why) {
        HeaderParser parser = new HeaderParser();
        HeaderState state = parser.take(ByteBuffer.wrap(header));
        String defect = parser.defect();
        if (state == HeaderState.COMPLETE) {
            try {
                parser.header();
            } catch (BadHeaderException bad) {
                state = HeaderState.REFUSED;
                defect = String.valueOf(bad.getMessage());
            }
        }
        assertEquals(HeaderState.REFUSED, state);
        assertTrue(defect.contains(why), defect);
    }
}
