package io.millrace.forwarded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.Headers;
import io.millrace.net.AddressSet;
import java.net.InetSocketAddress;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** X-Forwarded-For and related fields … The peer is 10.0.0.1, the request to origin:8080. */
class RemoteIpTest {

    private static final RemoteIp DEFAULTS = RemoteIp.DEFAULT;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            203.0.113.9                              | 203.0.113.9
            1.1.1.1, 203.0.113.9                     | 203.0.113.9
            1.1.1.1, 203.0.113.9, 192.168.3.4        | 203.0.113.9
            1.1.1.1,203.0.113.9 ,, 10.1.1.1,172.31.0.9 | 203.0.113.9
            192.168.3.4, 10.1.1.1                    | 192.168.3.4
            203.0.113.9:4711                         | 203.0.113.9
            2001:db8::7                              | 2001:db8:0:0:0:0:0:7
            [2001:db8::7]:4711                       | 2001:db8:0:0:0:0:0:7
            2001:db8::7, ::1                         | 2001:db8:0:0:0:0:0:7
            """)
    void nameTheFirstWhoIsNotTrustedFromTheRight(String field, String client) {
        assertEquals(
                client + " http://origin:8080",
                Front.passing("X-Forwarded-For", field).through(DEFAULTS));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                "unknown",
                "203.0.113.9, unknown",
                "203.0.113.9, <script>",
                "203.0.113.9, localhost",
                "203.0.113.9, 1.2.3.4:99999",
                "203.0.113.9, 1.2.3.4:",
                "203.0.113.9, [::1",
                "203.0.113.9, ::1]",
                "203.0.113.9, 1.2.3"
            })
    void nameNobodyByWhatIsNoAddress(String field) {
        assertEquals(
                "10.0.0.1 http://origin:8080",
                Front.passing("X-Forwarded-For", field).through(DEFAULTS));
    }

    @Test
    void nameTheLastTrustedOneInFrontOfWhatIsNoAddress() {
        assertEquals(
                "10.7.7.7 http://origin:8080",
                Front.passing("X-Forwarded-For", "evil, 10.7.7.7").through(DEFAULTS));
    }

    @Test
    void areNotBelievedFromAnybodyElse() {
        assertEquals(
                "-",
                Front.passing("X-Forwarded-For", "10.0.0.7", "X-Forwarded-Proto", "https")
                        .at("203.0.113.1")
                        .through(DEFAULTS));
    }

    @Test
    void areOneListOverSeveralLines() {
        assertEquals(
                "203.0.113.9 http://origin:8080",
                Front.passing("X-Forwarded-For", "1.1.1.1", "X-Forwarded-For", "203.0.113.9, 10.1.1.1")
                        .through(DEFAULTS));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            https        | https://origin secure
            HTTPS        | https://origin secure
            http         | http://origin
            on           | http://origin
            https, https | https://origin secure
            https, http  | http://origin
            """)
    void tellTheSchemeAndWithItThePort(String proto, String url) {
        assertEquals(
                "10.0.0.1 " + url, Front.passing("X-Forwarded-Proto", proto).through(DEFAULTS));
    }

    @Test
    void tellHostAndPortIfTheyAreToldTo() {
        RemoteIp all = RemoteIp.DEFAULT
                .with(RemoteIp.HOST_HEADER, "X-Forwarded-Host")
                .with(RemoteIp.PORT_HEADER, "X-Forwarded-Port");
        Front front = Front.passing(
                "X-Forwarded-Proto", "https", "X-Forwarded-Host", "www.example.org:1", "X-Forwarded-Port", "8443");
        assertEquals("10.0.0.1 https://www.example.org:8443 secure", front.through(all));
        assertEquals("10.0.0.1 https://origin secure", front.through(DEFAULTS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a/b", "a, b", "a,b", "", "user@host", "host:99999"})
    void tellNoHostByWhatIsNone(String host) {
        RemoteIp relay = RemoteIp.DEFAULT.with(RemoteIp.HOST_HEADER, "X-Forwarded-Host");
        assertEquals(
                "10.0.0.1 http://origin:8080",
                Front.passing("X-Forwarded-Host", host).through(relay));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "65536", "443, 444", "x"})
    void tellNoPortByWhatIsNone(String port) {
        RemoteIp relay = RemoteIp.DEFAULT.with(RemoteIp.PORT_HEADER, "X-Forwarded-Port");
        Front front = Front.passing("X-Forwarded-Proto", "https", "X-Forwarded-Port", port);
        assertEquals("10.0.0.1 https://origin secure", front.through(relay));
    }

    @Test
    void tellThePortOfARequestWithoutAHost() {
        assertEquals(
                "10.0.0.1 https://10.0.0.99 secure",
                Front.passing("X-Forwarded-Proto", "https").to(null).through(DEFAULTS));
    }

    @Test
    void areTakenOutAsFarAsTheyAreSettled() {
        RemoteIp relay = RemoteIp.DEFAULT.with(
                RemoteIp.TRUSTED_PROXIES, Trust.matching(Pattern.compile("203\\.0\\.113\\.\\d+")));
        Headers headers =
                headers(relay, "X-Forwarded-For", "1.1.1.1, 2.2.2.2, 203.0.113.5, 10.1.1.1", "X-Forwarded-By", "me");
        assertEquals("1.1.1.1", headers.get("X-Forwarded-For"));
        assertEquals("203.0.113.5", headers.get("X-Forwarded-By"));
        Headers settled = headers(DEFAULTS, "X-Forwarded-For", "2.2.2.2", "X-Forwarded-By", "me");
        assertNull(settled.get("X-Forwarded-For"));
        assertNull(settled.get("X-Forwarded-By"));
    }

    @Test
    void tellOfAPeerThatIsTrustedButNotInternal() {
        RemoteIp relay = RemoteIp.DEFAULT
                .with(RemoteIp.INTERNAL_PROXIES, Trust.nobody())
                .with(RemoteIp.TRUSTED_PROXIES, Trust.in(AddressSet.parse("10.0.0.1")));
        assertEquals("10.0.0.1", headers(relay, "X-Forwarded-For", "2.2.2.2").get("X-Forwarded-By"));
    }

    @Test
    void leaveThePeersPortUnlessTheyNameOne() {
        assertEquals(5000, remotePort("2.2.2.2"));
        assertEquals(4711, remotePort("2.2.2.2:4711"));
    }

    @Test
    void renameOurEndIfTheyAreToldTo() {
        RemoteIp relay = RemoteIp.DEFAULT
                .with(RemoteIp.HOST_HEADER, "X-Forwarded-Host")
                .with(RemoteIp.CHANGE_LOCAL_NAME, true)
                .with(RemoteIp.CHANGE_LOCAL_PORT, true);
        RelayedRequest before = Front.passing("X-Forwarded-Proto", "https", "X-Forwarded-Host", "www.example.org")
                .before(relay);
        assertNotNull(before);
        assertEquals(
                "www.example.org/10.0.0.99:443", before.connection().local().toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.1",
                "172.16.0.1",
                "172.31.255.1",
                "100.64.0.1",
                "100.127.0.1",
                "192.168.0.1",
                "169.254.1.1",
                "127.0.0.1",
                "::1",
                "fe80::1",
                "fd12::1"
            })
    void areBelievedFromPrivateAddressesByDefault(String peer) {
        assertTrue(Front.passing("X-Forwarded-For", "2.2.2.2")
                .at(peer)
                .through(DEFAULTS)
                .startsWith("2.2.2.2"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"172.32.0.1", "100.63.0.1", "100.128.0.1", "192.169.0.1", "11.0.0.1", "2001:db8::1"})
    void areNotBelievedFromPublicOnes(String peer) {
        assertEquals("-", Front.passing("X-Forwarded-For", "2.2.2.2").at(peer).through(DEFAULTS));
    }

    private static Headers headers(RemoteIp relay, String... fields) {
        RelayedRequest before = Front.passing(fields).before(relay);
        assertNotNull(before);
        return before.head().headers();
    }

    private static int remotePort(String field) {
        RelayedRequest before = Front.passing("X-Forwarded-For", field).before(DEFAULTS);
        assertNotNull(before);
        return ((InetSocketAddress) before.connection().remote()).getPort();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/33", "192.168.1.256", "10.0.0.1,10.0.0.300", "fe80::/129"})
    void refuseMistypedAddresses(String text) {
        assertThrows(IllegalArgumentException.class, () -> Trust.parse(text));
        assertNull(Trust.TYPE.read(text));
    }

    @ParameterizedTest
    @CsvSource({"'10.0.0.1, 192.168.0.0/16', 192.168.7.7", "192\\.168\\..*, 192.168.7.7", "192.168.7..., 192.168.7.70"})
    void takeAddressesRangesAndExpressions(String text, String address) {
        assertTrue(Trust.parse(text).includes(Hop.peer(new InetSocketAddress(address, 80))));
    }
}
