package io.millrace.connector.spdy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.stream.ExchangeOutputStream;
import io.millrace.http.Headers;
import io.millrace.protocol.PushStream;
import io.millrace.settings.Settings;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpMessage;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.spdy.DefaultSpdySettingsFrame;
import io.netty.handler.codec.spdy.SpdyFrameCodec;
import io.netty.handler.codec.spdy.SpdyHttpDecoder;
import io.netty.handler.codec.spdy.SpdyHttpEncoder;
import io.netty.handler.codec.spdy.SpdyHttpHeaders;
import io.netty.handler.codec.spdy.SpdySessionHandler;
import io.netty.handler.codec.spdy.SpdySettingsFrame;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pushed responses (SPDY/3, 3.3), received by Netty's client. */
@Timeout(60)
final class SpdyPushTest {

    private static final io.netty.handler.codec.spdy.SpdyVersion NETTYS =
            io.netty.handler.codec.spdy.SpdyVersion.SPDY_3_1;

    private final NioEventLoopGroup group = new NioEventLoopGroup(1);
    private final Messages messages = new Messages();
    private Server pushing;
    private Server silent;

    /** The received responses, and the requests whose responses are pushed. */
    private static final class Messages extends SimpleChannelInboundHandler<FullHttpMessage> {

        final BlockingQueue<String> said = new LinkedBlockingQueue<>();

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpMessage message) {
            int id = message.headers().getInt(SpdyHttpHeaders.Names.STREAM_ID);
            if (message instanceof FullHttpRequest request) {
                String with = message.headers().get(SpdyHttpHeaders.Names.ASSOCIATED_TO_STREAM_ID);
                said.add(id + " with " + with + ": " + request.method() + " "
                        + message.headers().get("Host") + request.uri());
            } else if (message instanceof FullHttpResponse response) {
                said.add(id + ": " + response.status().code() + " "
                        + response.content().toString(StandardCharsets.US_ASCII));
            }
        }
    }

    @BeforeEach
    void start() throws IOException {
        pushing = serve(Settings.DEFAULTS.with(SpdyOptions.SERVER_PUSH, true));
        silent = serve(Settings.DEFAULTS);
    }

    private static Server serve(Settings options) throws IOException {
        return Server.builder()
                .connector(Connector.builder()
                        .port(0)
                        .protocols(List.of(new SpdyProtocol(options, "http")))
                        .build())
                .handler(SpdyPushTest::answer)
                .start();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String path = exchange.request().path().decoded();
        String text = path;
        if (path.equals("/page")) {
            PushStream stream = Objects.requireNonNull(exchange.channel().push());
            boolean pushed = stream.push("GET", "/style.css?a", new Headers().add("Authorization", "secret"));
            text = stream.canPush() + " " + pushed;
        }
        ExchangeOutputStream.of(exchange).write(text.getBytes(StandardCharsets.US_ASCII));
    }

    @AfterEach
    void stop() throws Exception {
        assertTrue(group.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(20, TimeUnit.SECONDS));
        pushing.close();
        silent.close();
    }

    private Channel connect(Server server) throws InterruptedException {
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
                                        new SpdyHttpDecoder(NETTYS, 100_000),
                                        messages);
                    }
                })
                .connect(InetAddress.getLoopbackAddress(), server.port())
                .sync()
                .channel();
    }

    private static void get(Channel channel, int id) {
        DefaultFullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/page");
        request.headers()
                .set("Host", "localhost")
                .set(SpdyHttpHeaders.Names.STREAM_ID, id)
                .set(SpdyHttpHeaders.Names.SCHEME, "http");
        assertNotNull(channel.writeAndFlush(request));
    }

    private String next() throws InterruptedException {
        String said = messages.said.poll(20, TimeUnit.SECONDS);
        assertNotNull(said, "nothing came");
        return said;
    }

    @Test
    void comeWithTheResponseThatTheyBelongTo() throws Exception {
        Channel channel = connect(pushing);
        get(channel, 1);
        assertEquals("2 with 1: GET localhost/style.css?a", next());
        assertEquals(
                List.of("1: 200 true true", "2: 200 /style.css"), List.copyOf(new TreeSet<>(List.of(next(), next()))));
        get(channel, 3);
        assertEquals("4 with 3: GET localhost/style.css?a", next());
        assertEquals(
                List.of("3: 200 true true", "4: 200 /style.css"), List.copyOf(new TreeSet<>(List.of(next(), next()))));
    }

    @Test
    void areOffUnlessConfigured() throws Exception {
        get(connect(silent), 1);
        assertEquals("1: 200 false false", next());
    }

    @Test
    void areNotSentToAClientThatAllowsNone() throws Exception {
        Channel channel = connect(pushing);
        SpdySettingsFrame none = new DefaultSpdySettingsFrame();
        none.setValue(SpdySettingsFrame.SETTINGS_MAX_CONCURRENT_STREAMS, 0);
        assertNotNull(channel.writeAndFlush(none));
        get(channel, 1);
        assertEquals("1: 200 false false", next());
    }
}
