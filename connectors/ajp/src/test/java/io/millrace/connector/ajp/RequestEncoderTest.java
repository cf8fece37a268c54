package io.millrace.connector.ajp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.ClientRequest;
import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import io.millrace.io.FrontEndNotes;
import io.millrace.io.FrontEndUser;
import io.millrace.settings.Settings;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The server's side reads a request of the client as it was sent. */
final class RequestEncoderTest {

    private static final Settings OPTIONS = Settings.DEFAULTS.with(AjpOptions.SECRET, "s3c ret");
    private static final String PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

    /** A client's connection with the proxy. */
    private record Client(
            SocketAddress local,
            SocketAddress remote,
            @Nullable FrontEnd frontEnd) implements ConnectionInfo {

        static Client of(@Nullable FrontEnd frontEnd) {
            return new Client(
                    new InetSocketAddress("192.0.2.1", 443), new InetSocketAddress("2001:db8::7", 4711), frontEnd);
        }

        @Override
        public boolean isSecure() {
            return frontEnd != null && frontEnd.secure();
        }
    }

    private static AjpFixture serve(ClientRequest request, Settings options) {
        AjpFixture fixture = new AjpFixture(
                server -> server.with(AjpOptions.SECRET, "s3c ret").with(AjpOptions.TOMCAT_AUTHENTICATION, false),
                true);
        ByteBuffer packet = RequestEncoder.encode(request, Client.of(null), options);
        byte[] bytes = new byte[packet.remaining()];
        packet.get(bytes);
        fixture.receive(bytes);
        return fixture;
    }

    private static ClientRequest request(String method, String target, long length, @Nullable ConnectionInfo client) {
        Headers fields = new Headers()
                .add("Host", "shop:81")
                .add("Cookie", "a=b")
                .add("X-Two", "1")
                .add("X-Two", "\u00e4")
                .add("Expect", "100-continue")
                .add("TE", "trailers");
        return new ClientRequest(method, target, fields, length, null, client, Map.of("JK_LB_ACTIVATION", "DIS"));
    }

    @ParameterizedTest
    @CsvSource({"40959, true", "40960, false", "40968, false", "65535, false"})
    void knowsWhichNamesWouldBeReadAsCodes(int length, boolean possible) {
        Headers fields = new Headers().add("Host", "shop").add("x".repeat(length), "1");
        ClientRequest request = new ClientRequest("GET", "/", fields, 0, null, null, Map.of());
        assertEquals(possible, RequestEncoder.areFieldsPossible(request));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "OPTIONS", "MKACTIVITY", "PATCH", "get", "M-SEARCH"})
    void hasItsMethodTargetAndFields(String method) {
        try (AjpFixture fixture = serve(request(method, "/a%20b;c?d=e&f", 0, null), OPTIONS)) {
            RequestHead head = fixture.request();
            assertEquals(method, head.method());
            assertEquals("/a%20b;c", head.path().raw());
            assertEquals("d=e&f", head.query());
            assertEquals("a=b", head.headers().get("cookie"));
            assertEquals("[1, \u00e4]", head.headers().all("X-Two").toString());
            assertEquals("shop:81", head.authority());
            assertNull(head.headers().get("Expect"));
            assertNull(head.headers().get("TE"));
        }
    }

    @ParameterizedTest
    @CsvSource({"GET, 0, ", "POST, 0, 0", "POST, 5, 5", "PUT, -1, "})
    void saysHowLongItsBodyIs(String method, long length, @Nullable String field) {
        try (AjpFixture fixture = serve(request(method, "/", length, null), OPTIONS)) {
            Headers fields = fixture.request().headers();
            assertEquals(field, fields.get("Content-Length"));
            assertEquals(length < 0 ? "chunked" : null, fields.get("Transfer-Encoding"));
        }
    }

    @Test
    void hasItsClientsAddresses() {
        try (AjpFixture fixture = serve(request("GET", "/", 0, Client.of(null)), OPTIONS)) {
            ConnectionInfo info = fixture.stream().channel().info();
            assertEquals(new InetSocketAddress("2001:db8::7", 4711), info.remote());
            InetSocketAddress local = (InetSocketAddress) info.local();
            assertEquals("192.0.2.1", local.getAddress().getHostAddress());
            assertEquals(81, local.getPort());
            assertEquals("shop", local.getHostString());
            assertEquals("http", fixture.request().scheme());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void hasItsClientsTlsAndAUserOnlyIfThatIsWanted(boolean user) {
        FrontEndNotes notes =
                new FrontEndNotes(0, "0a0b", PEM, new FrontEndUser("anna", "Basic", false), Map.of("x", "y"));
        FrontEnd said = FrontEnd.ofRequest(true, "TLSv1.3", "TLS_AES_256_GCM_SHA384", notes);
        Settings options = OPTIONS.with(AjpClientOptions.REMOTE_USER, user);
        try (AjpFixture fixture = serve(request("GET", "/", 0, Client.of(said)), options)) {
            assertEquals("https", fixture.request().scheme());
            FrontEnd heard = fixture.frontEnd();
            assertTrue(heard.secure());
            assertEquals("TLSv1.3", heard.tlsVersion());
            assertEquals("TLS_AES_256_GCM_SHA384", heard.cipherSuite());
            assertEquals(256, heard.notes().keySize());
            assertEquals("0a0b", heard.notes().tlsSessionId());
            assertEquals(PEM, heard.notes().certificates());
            FrontEndUser known = heard.notes().user();
            assertEquals(user, known != null);
            if (known != null) {
                assertEquals(new FrontEndUser("anna", "Basic", false), known);
            }
        }
    }

    @Test
    void hasItsAttributes() {
        try (AjpFixture fixture = serve(request("GET", "/", 0, null), OPTIONS)) {
            assertEquals(
                    Map.of("JK_LB_ACTIVATION", "DIS"),
                    fixture.frontEnd().notes().attributes());
        }
    }

    @Test
    void hasItsSecret() {
        try (AjpFixture fixture = serve(request("GET", "/", 0, null), Settings.DEFAULTS)) {
            assertEquals("[403]", fixture.refusals.toString());
        }
    }
}
