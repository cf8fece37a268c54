package io.millrace.connector.spdy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.squareup.okhttp.Protocol;
import com.squareup.okhttp.internal.framed.FramedConnection;
import com.squareup.okhttp.internal.framed.FramedStream;
import com.squareup.okhttp.internal.framed.Header;
import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.stream.ExchangeInputStream;
import io.millrace.exchange.stream.ExchangeOutputStream;
import io.millrace.http.Headers;
import io.millrace.http1.Http1Protocol;
import io.millrace.settings.Settings;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.spdy.SpdyFrameCodec;
import io.netty.handler.codec.spdy.SpdyHttpDecoder;
import io.netty.handler.codec.spdy.SpdyHttpEncoder;
import io.netty.handler.codec.spdy.SpdyHttpHeaders;
import io.netty.handler.codec.spdy.SpdySessionHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import okio.BufferedSink;
import okio.BufferedSource;
import okio.Okio;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** SPDY/3.1 clients of other projects, on a port that also accepts HTTP/1.1. */
@Timeout(60)
class SpdyStrangersTest {

    private static final int LARGE = 3_000_000;

    private final List<Headers> seen = new ArrayList<>();
    private Server server;

    @BeforeEach
    void start() throws IOException {
        server = Server.builder()
                .connector(Connector.builder()
                        .port(0)
                        .protocols(List.of(
                                new SpdyProtocol(Settings.DEFAULTS, "http"),
                                new Http1Protocol(Settings.DEFAULTS, "http")))
                        .build())
                .handler(this::echo)
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void echo(HttpExchange exchange) throws IOException {
        synchronized (seen) {
            seen.add(exchange.request().headers().copy());
        }
        Headers fields = exchange.response().headers();
        fields.set("X-Version", exchange.request().version().toString());
        fields.add("Set-Cookie", "a=b").add("Set-Cookie", "c=d").add("X-Empty", "");
        ExchangeInputStream.of(exchange).transferTo(ExchangeOutputStream.of(exchange));
    }

    private static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    // ---- Netty

    private static final class Answers extends SimpleChannelInboundHandler<FullHttpResponse> {

        final BlockingQueue<FullHttpResponse> responses = new LinkedBlockingQueue<>();

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
            responses.add(response.retain());
        }
    }

    private static final io.netty.handler.codec.spdy.SpdyVersion NETTYS =
            io.netty.handler.codec.spdy.SpdyVersion.SPDY_3_1;

    private Channel connect(NioEventLoopGroup group, Answers answers) throws InterruptedException {
        return new Bootstrap()
                .group(group)
                .channel(NioSocketChannel.class)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        new SpdyFrameCodec(NETTYS),
                                        new SpdySessionHandler(NETTYS, false),
                                        new SpdyHttpEncoder(NETTYS),
                                        new SpdyHttpDecoder(NETTYS, 2 * LARGE),
                                        answers);
                    }
                })
                .connect(InetAddress.getLoopbackAddress(), server.port())
                .sync()
                .channel();
    }

    private static DefaultFullHttpRequest request(int id, byte[] body) {
        DefaultFullHttpRequest request = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1, HttpMethod.POST, "/echo?x", Unpooled.wrappedBuffer(body));
        request.headers()
                .set("Host", "localhost")
                .set(SpdyHttpHeaders.Names.STREAM_ID, id)
                .set(SpdyHttpHeaders.Names.SCHEME, "http")
                .add("X-Many", "1")
                .add("X-Many", "2")
                .add("X-Own", "é");
        return request;
    }

    @Test
    void nettyIsAnsweredOnManyStreams() throws Exception {
        NioEventLoopGroup group = new NioEventLoopGroup(1);
        try {
            Answers answers = new Answers();
            Channel channel = connect(group, answers);
            for (int i = 0; i < 50; i++) {
                assertNotNull(channel.writeAndFlush(request(2 * i + 1, bytes(i * 1000))));
            }
            for (int i = 0; i < 50; i++) {
                FullHttpResponse response = answers.responses.poll(20, TimeUnit.SECONDS);
                int id = response.headers().getInt(SpdyHttpHeaders.Names.STREAM_ID);
                byte[] body = new byte[response.content().readableBytes()];
                response.content().readBytes(body);
                assertEquals(200, response.status().code());
                assertEquals("SPDY/3.1", response.headers().get("X-Version"));
                assertEquals(List.of("a=b", "c=d"), response.headers().getAll("Set-Cookie"));
                assertArrayEquals(bytes(id / 2 * 1000), body);
                response.release();
            }
            Headers first = seen.get(0);
            assertEquals(List.of("1", "2"), first.all("x-many"));
            assertEquals("é", first.get("x-own"));
            assertEquals("localhost", first.get("host"));
        } finally {
            assertTrue(group.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void nettySendsAndTakesMoreThanAnyWindow() throws Exception {
        NioEventLoopGroup group = new NioEventLoopGroup(1);
        try {
            Answers answers = new Answers();
            Channel channel = connect(group, answers);
            for (int id = 1; id < 8; id += 2) {
                assertNotNull(channel.writeAndFlush(request(id, bytes(LARGE))));
                FullHttpResponse response = answers.responses.poll(20, TimeUnit.SECONDS);
                byte[] body = new byte[response.content().readableBytes()];
                response.content().readBytes(body);
                assertArrayEquals(bytes(LARGE), body);
                response.release();
            }
        } finally {
            assertTrue(group.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(20, TimeUnit.SECONDS));
        }
    }

    // ---- OkHttp

    private static List<Header> head(String method, String... more) {
        List<Header> fields = new ArrayList<>(List.of(
                new Header(":method", method),
                new Header(":path", "/echo"),
                new Header(":version", "HTTP/1.1"),
                new Header(":host", "localhost"),
                new Header(":scheme", "http")));
        for (int i = 0; i < more.length; i += 2) {
            fields.add(new Header(more[i], more[i + 1]));
        }
        return fields;
    }

    private FramedConnection okHttp(Socket socket) throws IOException {
        FramedConnection connection = new FramedConnection.Builder(true)
                .socket(socket)
                .protocol(Protocol.SPDY_3)
                .build();
        connection.sendConnectionPreface();
        return connection;
    }

    @Test
    void okHttpEchoesBothWaysAtOnce() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                FramedConnection connection = okHttp(socket)) {
            for (int i = 0; i < 5; i++) {
                FramedStream stream = connection.newStream(head("POST", "accept", "text/html\0*/*"), true, true);
                byte[] sent = bytes(LARGE + i);
                Thread sender = new Thread(() -> send(stream, sent));
                sender.start();
                List<String> fields = stream.getResponseHeaders().stream()
                        .map(field -> field.name.utf8() + "=" + field.value.utf8())
                        .toList();
                assertTrue(fields.contains(":status=200 OK"), fields.toString());
                assertTrue(fields.contains("x-version=SPDY/3.1"), fields.toString());
                assertTrue(fields.contains("set-cookie=a=b\0c=d"), fields.toString());
                assertTrue(fields.contains("x-empty="), fields.toString());
                try (BufferedSource body = Okio.buffer(stream.getSource())) {
                    assertArrayEquals(sent, body.readByteArray());
                }
                sender.join();
            }
            assertTrue(connection.ping().roundTripTime() > 0);
            assertEquals(List.of("text/html", "*/*"), seen.get(0).all("accept"));
        }
    }

    private static void send(FramedStream stream, byte[] body) {
        try (BufferedSink out = Okio.buffer(stream.getSink())) {
            out.write(body);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    // ---- other clients

    @Test
    void aClientOfHttp11IsAnsweredOnTheSamePort() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertTrue(response.startsWith("HTTP/1.1 200"), response);
            assertTrue(response.contains("X-Version: HTTP/1.1"), response);
        }
    }
}
