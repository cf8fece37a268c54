package io.millrace.connector.nio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.millrace.Server;
import io.millrace.testkit.Deadline;
import io.millrace.websocket.CloseStatus;
import io.millrace.websocket.DeflateMode;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketHandler;
import io.millrace.websocket.WebSocketListener;
import io.millrace.websocket.WebSocketOptions;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketClientExtensionHandler;
import io.netty.handler.codec.http.websocketx.extensions.compression.PerMessageDeflateClientExtensionHandshaker;
import io.netty.handler.codec.http.websocketx.extensions.compression.WebSocketClientCompressionHandler;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** With Netty's WebSocket client it … */
@SuppressWarnings("FutureReturnValueIgnored") // the tests wait for the responses
@Timeout(60)
class WebSocketNettyTest {

    private static final int MOST = 1 << 20;
    private static final int[] LENGTHS = {0, 1, 125, 126, 511, 512, 65_535, 65_536, 300_000};

    /** The variants of permessage-deflate that the client offers. */
    enum Offer {
        NONE,
        USUAL,
        NO_CONTEXT_TAKEOVER
    }

    private final NioEventLoopGroup threads = new NioEventLoopGroup(1);

    @AfterEach
    void stop() {
        threads.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Echoes messages; a text that begins with a number closes with that code. */
    private static final class Echo implements WebSocketListener {

        private final CompletableFuture<WebSocketConnection> opened = new CompletableFuture<>();

        @Override
        public void onOpen(WebSocketConnection connection) {
            opened.complete(connection);
        }

        @Override
        public void onText(WebSocketConnection connection, String message) {
            if (message.startsWith("4000 ")) {
                connection.close(new CloseStatus(4000, message.substring(5)));
            } else {
                connection.sendText(message);
            }
        }

        @Override
        public void onBinary(WebSocketConnection connection, ByteBuffer message) {
            connection.sendBinary(message);
        }
    }

    /** Records the messages. */
    private static final class Client extends SimpleChannelInboundHandler<WebSocketFrame> {

        private final BlockingQueue<WebSocketFrame> frames = new LinkedBlockingQueue<>();
        private final CompletableFuture<Boolean> shaken = new CompletableFuture<>();

        @Override
        protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
            frames.add(frame.retain());
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
            if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
                shaken.complete(true);
            }
            super.userEventTriggered(context, event);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            shaken.completeExceptionally(cause);
            context.close();
        }

        WebSocketFrame next() throws InterruptedException {
            WebSocketFrame frame = frames.poll(20, TimeUnit.SECONDS);
            if (frame == null) {
                throw new AssertionError("no frame came");
            }
            return frame;
        }
    }

    private Channel connect(int port, Client client, Offer offer) throws Exception {
        WebSocketClientProtocolConfig config = WebSocketClientProtocolConfig.newBuilder()
                .webSocketUri("ws://localhost:" + port + "/")
                .subprotocol("other,chat")
                .allowExtensions(offer != Offer.NONE)
                .handleCloseFrames(false)
                .dropPongFrames(false)
                .maxFramePayloadLength(MOST)
                .build();
        Channel channel = new Bootstrap()
                .group(threads)
                .channel(NioSocketChannel.class)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel made) {
                        ChannelPipeline pipeline = made.pipeline();
                        pipeline.addLast(new HttpClientCodec(), new HttpObjectAggregator(8192));
                        if (offer == Offer.USUAL) {
                            pipeline.addLast(WebSocketClientCompressionHandler.INSTANCE);
                        } else if (offer == Offer.NO_CONTEXT_TAKEOVER) {
                            pipeline.addLast(new WebSocketClientExtensionHandler(
                                    new PerMessageDeflateClientExtensionHandshaker(6, true, 15, true, true)));
                        }
                        pipeline.addLast(
                                new WebSocketClientProtocolHandler(config), new WebSocketFrameAggregator(MOST), client);
                    }
                })
                .connect("localhost", port)
                .sync()
                .channel();
        Deadline.await(client.shaken);
        return channel;
    }

    private static WebSocketOptions options(DeflateMode deflate) {
        return WebSocketOptions.DEFAULT
                .with(WebSocketOptions.MAX_TEXT_SIZE, MOST)
                .with(WebSocketOptions.MAX_BINARY_SIZE, MOST)
                .withSubprotocols(List.of("chat"))
                .with(WebSocketOptions.DEFLATE, deflate);
    }

    @ParameterizedTest
    @CsvSource({
        "NONE, NO_CONTEXT_TAKEOVER, 0",
        "USUAL, OFF, 0",
        "USUAL, NO_CONTEXT_TAKEOVER, 0",
        "USUAL, CONTEXT_TAKEOVER, 1",
        "NO_CONTEXT_TAKEOVER, NO_CONTEXT_TAKEOVER, 1",
        "NO_CONTEXT_TAKEOVER, CONTEXT_TAKEOVER, 1",
    })
    void echoesMessagesOfAnyLengthAndInFragments(Offer offer, DeflateMode deflate, int extensions) throws Exception {
        Echo echo = new Echo();
        Client client = new Client();
        try (Server server = Server.builder()
                .port(0)
                .handler(new WebSocketHandler(echo, options(deflate)))
                .start()) {
            Channel channel = connect(server.ports().get(0), client, offer);
            WebSocketConnection connection = Deadline.await(echo.opened);
            assertEquals(extensions, connection.info().extensions().size());
            assertEquals("chat", connection.info().subprotocol());
            for (int length : LENGTHS) {
                String text = "ä€z".repeat(length / 6) + "x".repeat(length % 6);
                channel.writeAndFlush(new TextWebSocketFrame(text));
                assertEquals(
                        text,
                        assertInstanceOf(TextWebSocketFrame.class, client.next())
                                .text());
                byte[] bytes = new byte[length];
                new Random(length).nextBytes(bytes);
                channel.writeAndFlush(new BinaryWebSocketFrame(Unpooled.wrappedBuffer(bytes)));
                assertArrayEquals(
                        bytes,
                        ByteBufUtil.getBytes(assertInstanceOf(BinaryWebSocketFrame.class, client.next())
                                .content()));
            }
            String part = "part ".repeat(1_000);
            channel.write(new TextWebSocketFrame(false, 0, part));
            channel.write(new PingWebSocketFrame(Unpooled.wrappedBuffer(new byte[] {1, 2})));
            channel.writeAndFlush(new ContinuationWebSocketFrame(true, 0, part));
            assertInstanceOf(PongWebSocketFrame.class, client.next());
            assertEquals(
                    part + part,
                    assertInstanceOf(TextWebSocketFrame.class, client.next()).text());
            channel.close().sync();
        }
    }

    @ParameterizedTest
    @EnumSource(Offer.class)
    void closesAndIsClosed(Offer offer) throws Exception {
        try (Server server = Server.builder()
                .port(0)
                .handler(new WebSocketHandler(new Echo(), options(DeflateMode.NO_CONTEXT_TAKEOVER)))
                .start()) {
            for (boolean byServer : new boolean[] {false, true}) {
                Client client = new Client();
                Channel channel = connect(server.ports().get(0), client, offer);
                channel.writeAndFlush(
                        byServer ? new TextWebSocketFrame("4000 enough") : new CloseWebSocketFrame(4000, "enough"));
                CloseWebSocketFrame close = assertInstanceOf(CloseWebSocketFrame.class, client.next());
                assertEquals(4000, close.statusCode());
                if (byServer) {
                    assertEquals("enough", close.reasonText());
                    channel.writeAndFlush(new CloseWebSocketFrame(4000, ""));
                }
                channel.closeFuture().await(20, TimeUnit.SECONDS);
                assertEquals(false, channel.isOpen());
            }
        }
    }
}
