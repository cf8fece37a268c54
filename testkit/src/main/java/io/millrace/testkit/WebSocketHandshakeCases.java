package io.millrace.testkit;

import static io.millrace.testkit.WebSocketHarness.end;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The opening handshake of HTTP/1.1 (RFC 6455, 4.2), which other protocols replace, on a transport. A connection … */
interface WebSocketHandshakeCases {

    WebSocketHarness sockets();

    @Test
    default void answersTheHandshakeOfTheRfc() throws Exception {
        WebSocketContractClient client = sockets().connect();
        String head = client.ask("/echo");
        assertTrue(head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"), head);
        assertTrue(head.contains("Upgrade: websocket\r\n"), head);
        assertTrue(head.contains("Connection: Upgrade\r\n"), head);
        assertFalse(head.contains("Sec-WebSocket-Extensions"), head);
        assertFalse(head.contains("Sec-WebSocket-Protocol"), head);
        end(client);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            200 no: Upgrade: websocket | Upgrade: h2c | 426
            Sec-WebSocket-Version: 13 | Sec-WebSocket-Version: 8 | 426
            Sec-WebSocket-Version: 13 | X: y | 426
            Connection: keep-alive, Upgrade | Connection: keep-alive | 400
            dGhlIHNhbXBsZSBub25jZQ== | dGhlIHNhbXBsZQ== | 400
            dGhlIHNhbXBsZSBub25jZQ== | not base64 | 400
            GET / | POST / | 400
            Content-Length: 0 | Content-Length: 5 | 400
            Content-Length: 0 | Transfer-Encoding: chunked | 400
            Upgrade: websocket | Upgrade: h2c | 426
            Sec-WebSocket-Version: 13 | Sec-WebSocket-Version: 13, 13 | 426
            X-Origin: | Origin: http://elsewhere.example | 403
            X-Origin: | Sec-WebSocket-Extensions: a;;b | 400
            X-Origin: | Sec-WebSocket-Protocol: a b | 400
            """)
    default void refuses(String correct, String wrong, int status) throws Exception {
        WebSocketContractClient client = sockets().connect();
        String request = """
                GET /echo HTTP/1.1
                Host: localhost
                Upgrade: websocket
                Connection: keep-alive, Upgrade
                Sec-WebSocket-Version: 13
                X-Origin:
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
                Content-Length: 0

                """.replace("\n", "\r\n");
        String found = correct.startsWith("200 no: ") ? correct.substring(8) : correct;
        String head = client.request(request.replace(found, wrong));
        assertTrue(head.startsWith("HTTP/1.1 " + status + " "), head);
        assertEquals(status == 426, head.contains("Sec-WebSocket-Version: 13\r\n"), head);
    }
}
