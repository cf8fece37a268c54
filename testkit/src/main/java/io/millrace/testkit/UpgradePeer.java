package io.millrace.testkit;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A WebSocket server for one client, which sends exactly the given bytes. */
final class UpgradePeer implements AutoCloseable {

    private final ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private @Nullable Socket accepted;

    UpgradePeer() throws IOException {}

    /** The URI on which it listens. */
    String uri() {
        return "ws://127.0.0.1:" + listening.getLocalPort() + "/";
    }

    /** Accepts the client, reads its handshake, and returns the Sec-WebSocket-Accept of a valid response (RFC 6455, 4.2.2). */
    String accept() throws Exception {
        accepted = listening.accept();
        DataInputStream in = input();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        int at = head.indexOf("Sec-WebSocket-Key: ") + "Sec-WebSocket-Key: ".length();
        String key = head.substring(at, head.indexOf("\r\n", at));
        byte[] digest = MessageDigest.getInstance("SHA-1")
                .digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII));
        return Base64.getEncoder().encodeToString(digest);
    }

    /** The input from the client. */
    DataInputStream input() throws IOException {
        return new DataInputStream(accepted().getInputStream());
    }

    /** Sends ISO 8859-1 text. */
    void send(String text) throws IOException {
        accepted().getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Waits for the client; returns whether it has closed the connection without sending more. */
    boolean isAtEnd() {
        try {
            return accepted().getInputStream().read() < 0;
        } catch (IOException reset) {
            return true;
        }
    }

    private Socket accepted() {
        if (accepted == null) {
            throw new IllegalStateException("no client was accepted");
        }
        return accepted;
    }

    @Override
    public void close() throws IOException {
        try (listening) {
            if (accepted != null) {
                accepted.close();
            }
        }
    }
}
