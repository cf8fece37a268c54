package io.millrace.connector.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.ConnectorOptions;
import io.millrace.Server;
import io.millrace.handler.Responses;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnixSocketTest {

    @TempDir
    private Path directory = Path.of("");

    @Test
    void servesRequestsAndRemovesItsFileAtTheEnd() throws Exception {
        Path file = directory.resolve("socket");
        try (Server server = start(file)) {
            assertEquals(List.of(-1), server.ports());
            assertEquals("rw-rw----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            assertTrue(ask(file).endsWith("hello"), "the answer");
        }
        assertTrue(Files.notExists(file));
    }

    @Test
    void replacesWhatAKilledServerLeftAndNothingElse() throws Exception {
        Path stale = directory.resolve("stale");
        ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        killed.bind(UnixDomainSocketAddress.of(stale));
        IOException taken = assertThrows(IOException.class, () -> start(stale));
        assertTrue(String.valueOf(taken.getMessage()).contains("another process listens"));
        killed.close(); // its file remains
        try (Server server = start(stale)) {
            assertTrue(server.isRunning());
            assertTrue(ask(stale).endsWith("hello"), "the answer");
        }
        Path text = Files.writeString(directory.resolve("text"), "precious");
        assertThrows(IOException.class, () -> start(text));
        assertEquals("precious", Files.readString(text));
    }

    @Test
    void saysHowToInheritASocketIfThereIsNone() {
        Connector connector = Connector.builder()
                .with(ConnectorOptions.USE_INHERITED_CHANNEL, true)
                .build();
        IOException refused = assertThrows(
                IOException.class, () -> Server.builder().connector(connector).start());
        assertTrue(String.valueOf(refused.getMessage()).contains("systemd"));
    }

    private static Server start(Path file) throws IOException {
        return Server.builder()
                .connector(Connector.builder()
                        .with(ConnectorOptions.UNIX_DOMAIN_SOCKET_PATH, file)
                        .build())
                .handler(exchange -> Responses.text(exchange, 200, "hello"))
                .start();
    }

    private static String ask(Path file) throws IOException {
        try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
            client.write(ByteBuffer.wrap(
                    "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
            return new String(Channels.newInputStream(client).readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
