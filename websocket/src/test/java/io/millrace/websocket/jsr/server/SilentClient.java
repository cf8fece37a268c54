package io.millrace.websocket.jsr.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that reads nothing after the handshake. */
record SilentClient(Socket socket) implements AutoCloseable {

    static SilentClient connect(int port, String path) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return new SilentClient(socket);
    }

    /** Reads only the response of the handshake. */
    void awaitHead() throws IOException {
        int newlines = 0;
        while (newlines < 4) {
            int next = socket.getInputStream().read();
            newlines = next == '\r' || next == '\n' ? newlines + 1 : 0;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
