package io.millrace.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetSocketAddress;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The URL of a request … (host | local address | URL) */
final class RequestedHostTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "example.org      | 192.0.2.1   | http://example.org/a",
                "example.org:8080 | 192.0.2.1   | http://example.org:8080/a",
                "example.org:     | 192.0.2.1   | http://example.org/a",
                "[2001:db8::1]:1  | 192.0.2.1   | http://[2001:db8::1]:1/a",
                "none             | 192.0.2.1   | http://192.0.2.1:8443/a",
                "none             | 2001:db8::1 | http://[2001:db8:0:0:0:0:0:1]:8443/a",
            })
    void isThatOfItsHostOrElseOfTheLocalAddress(String authority, String local, String url) {
        RequestPath path = Objects.requireNonNull(RequestPath.parse("/a", EncodedSlash.REJECT));
        RequestHead head =
                new RequestHead("GET", "/a", path, null, HttpVersion.HTTP_1_0, "http", authority, new Headers(), 0);
        assertEquals(
                url, RequestedHost.of(head, new InetSocketAddress(local, 8443)).url("http", "/a"));
    }
}
