package io.millrace.samples;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A request with a Host field of one's own, which the JDK's client does not allow. */
final class Raw {

    private Raw() {}

    /** The body of the answer. */
    static String get(int port, String path, String host) throws IOException {
        String answer = exchange(port, "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    /** All that comes until the server closes, after this was sent and our output has ended. */
    static String exchange(int port, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
