package io.millrace.websocket.jsr.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A handshake on a plain socket. */
final class RawHandshake {

    private RawHandshake() {}

    /** The head of the response. */
    static String answer(int port, String path, String... fields) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            String head =
                    "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                            + String.join("\r\n", fields) + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            StringBuilder answer = new StringBuilder();
            InputStream in = socket.getInputStream();
            while (answer.indexOf("\r\n\r\n") < 0) {
                int next = in.read();
                if (next < 0) {
                    break;
                }
                answer.append((char) next);
            }
            return answer.toString();
        }
    }

    static int status(int port, String path, String... fields) throws IOException {
        return Integer.parseInt(answer(port, path, fields).substring(9, 12));
    }
}
