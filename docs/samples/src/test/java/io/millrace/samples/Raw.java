package io.millrace.samples;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Sends requests with any Host field, which the JDK's client does not permit. */
final class Raw {

    private Raw() {}

    /** Returns the body of the response. */
    static String get(int port, String path, String host) throws IOException {
        String answer = exchange(port, "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    /** Sends the request, shuts down the output, and returns all input until the server closes the connection. */
    static String exchange(int port, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
