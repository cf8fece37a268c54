package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Among peers that send or read slowly, the server … */
@NullUnmarked
@Tag("soak")
final class SlowPeersIT {

    private static final String SERVER_XML = """
            <Server>
              <Service>
                <Connector port="0" address="127.0.0.1" connectionTimeout="3000" acceptCount="1024"/>
                <Connector port="0" address="127.0.0.1" socket.txBufSize="4096" acceptCount="1024"/>
                <Engine><Host/></Engine>
              </Service>
            </Server>
            """;

    /** What "at once" means on a machine that does other things as well: not when the others have been cut off. */
    private static final Duration AT_ONCE = Duration.ofSeconds(2);

    private static final int SLOW_SENDERS = 1000;
    private static final int SLOW_READERS = 500;

    /** So little that a response of 20 KB doesn't fit into the two sockets. */
    private static final int RECEIVE_BUFFER = 2048;

    @TempDir
    private Path base;

    private Product product;
    private final List<SocketChannel> peers = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        Files.writeString(Files.createDirectories(base.resolve("conf")).resolve("server.xml"), SERVER_XML);
        Files.copy(
                Product.EXAMPLES,
                Files.createDirectories(base.resolve("webapps")).resolve("ROOT.war"));
        product = Product.process().serving("start", "--base=" + base);
    }

    @AfterEach
    void stop() throws IOException {
        for (SocketChannel peer : peers) {
            peer.close();
        }
        product.close();
    }

    @Test
    void cutsOffThoseWhoSendAHeaderByteASecondAndServesANewOne() throws IOException {
        int port = product.ports().get(0);
        byte[] request = ("GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: " + "x".repeat(100))
                .getBytes(StandardCharsets.ISO_8859_1);
        connect(SLOW_SENDERS, port, 0);
        int open = SLOW_SENDERS;
        List<Long> hellos = new ArrayList<>();
        long begin = System.nanoTime();
        for (int second = 0; open > 0; second++) {
            assertTrue(second < 20, open + " of " + SLOW_SENDERS + " are still connected after " + second + " s");
            open = sendByteToEach(request[second]);
            hellos.add(nanosOfHello(port));
            waitUntil(begin + (second + 1) * 1_000_000_000L);
        }
        assertAtOnce(hellos);
    }

    @Test
    void holdsNoThreadFor500WhoRead20KilobytesSlowly() throws IOException {
        int port = product.ports().get(1);
        connect(SLOW_READERS, port, RECEIVE_BUFFER);
        request("/download?size=20000");
        awaitFirstBytes();
        ThreadDump.awaitNoFrame(product.jvm(), "DownloadServlet");
        assertAtOnce(hellos(port));
        assertEquals(20_000, bodyOf(peers.get(0)));
    }

    @Test
    void answersAtOnceBeside500WhoRead200KilobytesSlowly() throws IOException {
        int port = product.ports().get(1);
        connect(SLOW_READERS, port, RECEIVE_BUFFER);
        request("/download?size=200000");
        awaitFirstBytes();
        assertAtOnce(hellos(port));
        assertEquals(200_000, bodyOf(peers.get(SLOW_READERS - 1)));
    }

    private void connect(int number, int port, int receiveBuffer) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        for (int i = 0; i < number; i++) {
            SocketChannel peer = SocketChannel.open();
            peers.add(peer);
            if (receiveBuffer > 0) {
                peer.setOption(StandardSocketOptions.SO_RCVBUF, receiveBuffer);
            }
            peer.connect(address);
        }
    }

    private void request(String path) throws IOException {
        byte[] request = ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
        for (SocketChannel peer : peers) {
            peer.write(ByteBuffer.wrap(request));
        }
    }

    /** When each has its first byte, every servlet has begun; nobody reads more. */
    private void awaitFirstBytes() throws IOException {
        for (SocketChannel peer : peers) {
            ByteBuffer first = ByteBuffer.allocate(1);
            peer.socket().setSoTimeout((int) Deadline.DEFAULT.toMillis());
            assertEquals(1, peer.read(first));
        }
    }

    /** Sends to all that are still connected; how many are left. */
    private int sendByteToEach(byte value) throws IOException {
        int open = 0;
        for (SocketChannel peer : peers) {
            if (peer.isOpen()) {
                open += sendByte(peer, value) ? 1 : 0;
            }
        }
        return open;
    }

    /** False if the server has answered (408) or closed. */
    private static boolean sendByte(SocketChannel peer, byte value) throws IOException {
        try {
            peer.configureBlocking(false);
            if (peer.read(ByteBuffer.allocate(1)) != 0) {
                peer.close();
                return false;
            }
            peer.write(ByteBuffer.wrap(new byte[] {value}));
            return true;
        } catch (IOException reset) {
            peer.close();
            return false;
        }
    }

    private static List<Long> hellos(int port) throws IOException {
        return List.of(nanosOfHello(port), nanosOfHello(port), nanosOfHello(port));
    }

    /** By the middle one, as the machine may be busy with something else at one moment. */
    private static void assertAtOnce(List<Long> nanos) {
        long middle = nanos.stream().sorted().toList().get(nanos.size() / 2);
        assertTrue(middle < AT_ONCE.toNanos(), "new requests took " + nanos + " ns");
    }

    private static long nanosOfHello(int port) throws IOException {
        long begin = System.nanoTime();
        try (RawClient client = RawClient.connect(port)) {
            client.send("GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            String answer = client.readTextToEnd();
            assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
        }
        return System.nanoTime() - begin;
    }

    private static long bodyOf(SocketChannel peer) throws IOException {
        ByteBuffer block = ByteBuffer.allocate(64 * 1024);
        long zeros = 0;
        while (peer.read(block) >= 0) {
            block.flip();
            while (block.hasRemaining()) {
                zeros += block.get() == 0 ? 1 : 0;
            }
            block.clear();
        }
        return zeros;
    }

    private static void waitUntil(long nanoTime) {
        for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
