package io.millrace.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A set of addresses … */
class AddressSetTest {

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.0.1, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "10.1.2.3/8, 10.9.9.9, true",
        "192.168.4.0/22, 192.168.7.255, true",
        "192.168.4.0/22, 192.168.8.0, false",
        "192.168.1.7, 192.168.1.7, true",
        "192.168.1.7, 192.168.1.6, false",
        "192.168.1.7/31, 192.168.1.6, true",
        "0.0.0.0/0, 203.0.113.1, true",
        "0.0.0.0/0, ::1, false",
        "fd00::/8, fdff::1, true",
        "fd00::/8, fe00::1, false",
        "fe80::/10, febf::1, true",
        "fe80::/10, fec0::1, false",
        "::/0, 10.0.0.1, false",
        "10.0.0.0/8, ::ffff:10.0.0.1, true",
    })
    void holdsAnAddressThatBeginsWithTheSameBits(String range, String address, boolean held) {
        InetAddress parsed = IpLiteral.parse(address);
        assertNotNull(parsed);
        assertEquals(held, AddressSet.parse(range).contains(parsed));
    }

    @Test
    void isWrittenWithCommasOrBlanks() {
        AddressSet set = AddressSet.parse(" 10.0.0.1,\n ::1  unix: ");
        assertEquals("10.0.0.1/32,0:0:0:0:0:0:0:1/128,unix:", set.toString());
        assertTrue(set.contains(new InetSocketAddress("10.0.0.1", 80)));
        assertTrue(set.contains(UnixDomainSocketAddress.of("/run/a.sock")));
    }

    @Test
    void holdsNoPeerWithoutAnAddressUnlessItIsTold() {
        AddressSet set = AddressSet.parse("0.0.0.0/0");
        assertFalse(set.contains(UnixDomainSocketAddress.of("/run/a.sock")));
        assertFalse(set.contains(InetSocketAddress.createUnresolved("www.example.org", 80)));
    }

    @Test
    void isEmptyIfNothingIsWritten() {
        assertTrue(AddressSet.parse(" , ").isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/08", "10.0.0", "localhost", "/8"})
    void namesTheEntryThatIsNoAddress(String entry) {
        IllegalArgumentException refusal =
                assertThrows(IllegalArgumentException.class, () -> AddressSet.parse("10.0.0.1, " + entry));
        assertTrue(String.valueOf(refusal.getMessage()).contains('"' + entry + '"'), refusal.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.4 ",
                "01.2.3.4",
                "1.2.3.256",
                "1..3.4",
                "0x1.2.3.4",
                "a.b.c.d",
                "::g",
                "1:2",
                ":::",
                "[::1]",
                "fe80::1%1",
                "::1/64",
                "::ffff:1.2.3.4.5",
                "\u0661.2.3.4"
            })
    void takesNoAddressThatIsNone(String text) {
        assertNull(IpLiteral.parse(text));
    }
}
