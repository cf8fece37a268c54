package bench.websocket;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** One connection of the load generator. */
final class Client {

    /**
     * Connections come from so many to an address, and each process has addresses of its own: an address of 127.0.0.0/8 has some
     * 28,000 ports, and those of connections that have ended are taken for a minute.
     */
    private static final int PER_ADDRESS = 5_000;

    private static final String ADDRESSES = "127.1." + ProcessHandle.current().pid() % 256 + ".";

    final SocketChannel channel = SocketChannel.open();
    private final Frames frames = new Frames();
    private final SelectionKey key;
    private final ByteBuffer request;
    private StringBuilder response = new StringBuilder();
    private ByteBuffer unsent;
    long sentAt;

    Client(Selector selector, int index, int port, String path, boolean deflate) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.bind(new InetSocketAddress(ADDRESSES + (1 + index / PER_ADDRESS), 0));
        request = StandardCharsets.US_ASCII.encode("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port
                + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + "Sec-WebSocket-Version: 13\r\n"
                + (deflate ? "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n" : "") + "\r\n");
        key = channel.register(selector, SelectionKey.OP_CONNECT, this);
        if (channel.connect(new InetSocketAddress("127.0.0.1", port))) {
            connected();
        }
    }

    private void connected() throws IOException {
        channel.write(request); // fits any socket's buffer
        key.interestOps(SelectionKey.OP_READ);
    }

    /** Sends a message; what the socket does not take at once leaves later. */
    void send(ByteBuffer frame) throws IOException {
        ByteBuffer bytes = frame.duplicate();
        sentAt = System.nanoTime();
        channel.write(bytes);
        if (bytes.hasRemaining()) {
            unsent = bytes;
            key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        }
    }

    /** Returns how many messages have come; -1 if the handshake has just ended. */
    int ready(ByteBuffer buffer) throws IOException {
        if (key.isConnectable()) {
            channel.finishConnect();
            connected();
            return 0;
        }
        if (key.isWritable()) {
            channel.write(unsent);
            if (!unsent.hasRemaining()) {
                unsent = null;
                key.interestOps(SelectionKey.OP_READ);
            }
        }
        if (!key.isReadable()) {
            return 0;
        }
        buffer.clear();
        if (channel.read(buffer) < 0) {
            throw new EOFException("the server closed a connection" + (response == null ? "" : ": " + response));
        }
        buffer.flip();
        return response == null ? frames.count(buffer) : handshake(buffer);
    }

    private int handshake(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            response.append((char) buffer.get());
            if (response.length() > 4 && response.lastIndexOf("\r\n\r\n") == response.length() - 4) {
                if (!response.toString().startsWith("HTTP/1.1 101")) {
                    throw new IOException("no WebSocket: " + response);
                }
                response = null;
                return -1;
            }
        }
        return 0;
    }
}
