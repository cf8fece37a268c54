package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.ConnectorBuilder;
import io.millrace.Server;
import io.millrace.net.AddressSet;
import io.millrace.proxyprotocol.ProxyProtocol;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HexFormat;
import java.util.TreeSet;
import javax.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.Test;

/** Behind a front end that ended TLS and says so by the PROXY protocol, a request … */
@OnDefaultCarriers
class FrontEndTest {

    /** Client 198.51.100.7, over TLSv1.3 with TLS_AES_256_GCM_SHA384. */
    private static final byte[] HEADER = HexFormat.of()
            .parseHex("0d0a0d0a000d0a515549540a" + "2111" + "0037" + "c6336407c0000201126701bb"
                    + "200028" + "0100000000"
                    + "210007" + hex("TLSv1.3")
                    + "230016" + hex("TLS_AES_256_GCM_SHA384"));

    private final Carrier carrier;

    FrontEndTest(Carrier carrier) {
        this.carrier = carrier;
    }

    @Test
    void carriesTheAttributesOfTls() throws Exception {
        WebApplicationBuilder application = WebApplication.builder("")
                .servlet(
                        "facts",
                        Serving.with((request, response) -> response.getWriter().print(facts(request))),
                        "/");
        ConnectorBuilder connector = carrier.connector()
                .with(ProxyProtocol.PRESENCE, ProxyProtocol.Presence.REQUIRED)
                .with(ProxyProtocol.TRUSTED, AddressSet.parse("127.0.0.0/8,::1"));
        try (Server server =
                Carrier.server(connector).application(application.build()).start()) {
            assertEquals(
                    "198.51.100.7 https true [javax.servlet.request.cipher_suite, javax.servlet.request.key_size,"
                            + " org.apache.tomcat.util.net.secure_protocol_version] 256 TLSv1.3",
                    ask(server.port()));
        }
    }

    private static String facts(HttpServletRequest request) {
        return request.getRemoteAddr() + " " + request.getScheme() + " " + request.isSecure() + " "
                + new TreeSet<>(Collections.list(request.getAttributeNames())) + " "
                + request.getAttribute("javax.servlet.request.key_size") + " "
                + request.getAttribute("org.apache.tomcat.util.net.secure_protocol_version");
    }

    private static String ask(int port) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(HEADER);
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            socket.getInputStream().transferTo(answer);
            String text = answer.toString(StandardCharsets.ISO_8859_1);
            return text.substring(text.indexOf("\r\n\r\n") + 4);
        }
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
    }
}
