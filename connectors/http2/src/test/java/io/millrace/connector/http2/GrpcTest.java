package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.servlet.GrpcServlet;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.millrace.Application;
import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.http1.Http1Protocol;
import io.millrace.proxy.ProxyApplication;
import io.millrace.servlet.WebApplication;
import io.millrace.settings.Settings;
import io.millrace.testkit.Transports;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * gRPC's own client, and its adapter for servlets as an application: asynchronous, without blocking, with trailers; with and
 * without a proxy between them.
 */
@ParameterizedClass
@MethodSource("connections")
final class GrpcTest {

    private static final int LIMIT = 20;
    private static final Metadata.Key<String> DETAIL = Metadata.Key.of("x-detail", Metadata.ASCII_STRING_MARSHALLER);

    private static final Metadata.Key<byte[]> KEY = Metadata.Key.of("x-key-bin", Metadata.BINARY_BYTE_MARSHALLER);

    private static final MethodDescriptor<byte[], byte[]> UNARY = method("Unary", MethodType.UNARY);
    private static final MethodDescriptor<byte[], byte[]> REFUSED = method("Refused", MethodType.UNARY);
    private static final MethodDescriptor<byte[], byte[]> SILENT = method("Silent", MethodType.UNARY);
    private static final MethodDescriptor<byte[], byte[]> DOWN = method("Down", MethodType.SERVER_STREAMING);
    private static final MethodDescriptor<byte[], byte[]> UP = method("Up", MethodType.CLIENT_STREAMING);
    private static final MethodDescriptor<byte[], byte[]> BOTH = method("Both", MethodType.BIDI_STREAMING);

    private final CountDownLatch silent = new CountDownLatch(1);
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private final List<Server> servers = new ArrayList<>();
    private final ManagedChannel channel;

    /** @param proxied whether there is a proxy between them, with HTTP/2 on both sides */
    GrpcTest(String transport, boolean proxied) throws IOException {
        ServerServiceDefinition service = ServerServiceDefinition.builder("millrace.Test")
                .addMethod(UNARY, ServerCalls.asyncUnaryCall((request, to) -> {
                    to.onNext(request);
                    to.onCompleted();
                }))
                .addMethod(REFUSED, ServerCalls.asyncUnaryCall((request, to) -> to.onError(refusal())))
                .addMethod(SILENT, ServerCalls.asyncUnaryCall((request, to) -> {
                    ((ServerCallStreamObserver<byte[]>) to).setOnCancelHandler(cancelled::countDown);
                    silent.countDown();
                }))
                .addMethod(DOWN, ServerCalls.asyncServerStreamingCall(GrpcTest::down))
                .addMethod(UP, ServerCalls.asyncClientStreamingCall(Sum::new))
                .addMethod(BOTH, ServerCalls.asyncBidiStreamingCall(Echo::new))
                .build();
        WebApplication application = WebApplication.builder("")
                .servlet(
                        "grpc",
                        new GrpcServlet(List.of(() -> ServerInterceptors.intercept(service, new Mirror()))),
                        registration -> {
                            registration.addMapping("/*");
                            registration.setAsyncSupported(true);
                        })
                .build();
        servers.add(start(transport, application));
        if (proxied) {
            int port = servers.get(0).port();
            servers.add(start(transport, ProxyApplication.to("h2c://127.0.0.1:" + port)));
        }
        channel = NettyChannelBuilder.forAddress(
                        "127.0.0.1", servers.get(servers.size() - 1).port())
                .usePlaintext()
                .maxInboundMessageSize(8 << 20)
                .build();
    }

    static List<Arguments> connections() {
        return Transports.installed().stream()
                .flatMap(transport -> Stream.of(Arguments.of(transport, false), Arguments.of(transport, true)))
                .toList();
    }

    private static Server start(String transport, Application application) throws IOException {
        Connector connector = Connector.builder()
                .transport(transport)
                .port(0)
                .protocols(List.of(
                        new Http2Protocol(Settings.DEFAULTS, "http"), new Http1Protocol(Settings.DEFAULTS, "http")))
                .build();
        return Server.builder()
                .connector(connector)
                .application(application)
                .failFast(true)
                .start();
    }

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName("millrace.Test", name))
                .setRequestMarshaller(new Octets())
                .setResponseMarshaller(new Octets())
                .build();
    }

    @AfterEach
    void stop() throws InterruptedException {
        channel.shutdownNow();
        assertTrue(channel.awaitTermination(LIMIT, TimeUnit.SECONDS));
        for (int i = servers.size() - 1; i >= 0; i--) {
            servers.get(i).close();
        }
    }

    private static StatusRuntimeException refusal() {
        Metadata trailers = new Metadata();
        trailers.put(DETAIL, "no such account");
        return Status.FAILED_PRECONDITION
                .withDescription("nothing is \u00fcbrig")
                .asRuntimeException(trailers);
    }

    /** Sends hundreds of messages, their number in the request's first octet, as fast as they are accepted. */
    private static void down(byte[] request, StreamObserver<byte[]> to) {
        ServerCallStreamObserver<byte[]> call = (ServerCallStreamObserver<byte[]>) to;
        int[] sent = {0};
        call.setOnReadyHandler(() -> {
            while (call.isReady() && sent[0] < request[0] * 100) {
                call.onNext(message(sent[0]));
                if (++sent[0] == request[0] * 100) {
                    call.onCompleted();
                }
            }
        });
    }

    /** Lengths that are not aligned with frames, including empty messages. */
    private static byte[] message(int number) {
        byte[] message = new byte[number * 37 % 20_011];
        Arrays.fill(message, (byte) number);
        return message;
    }

    private static CallOptions limited() {
        return CallOptions.DEFAULT.withDeadlineAfter(LIMIT, TimeUnit.SECONDS);
    }

    @Test
    void callsAndIsAnswered() {
        for (int length : new int[] {0, 1, 16_379, 16_384, 100_000, 3_000_000}) {
            byte[] request = new byte[length];
            Arrays.fill(request, (byte) 7);
            assertTrue(
                    Arrays.equals(request, ClientCalls.blockingUnaryCall(channel, UNARY, limited(), request)),
                    length + " octets");
        }
    }

    @Test
    void callsAndIsAnsweredManyAtOnce() throws Exception {
        List<Future<byte[]>> answers = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            answers.add(ClientCalls.futureUnaryCall(channel.newCall(UNARY, limited()), message(i)));
        }
        for (int i = 0; i < 500; i++) {
            assertTrue(Arrays.equals(message(i), answers.get(i).get(LIMIT, TimeUnit.SECONDS)), "call " + i);
        }
    }

    /** Trailers alone, without a message. */
    @Test
    void getsTheStatusOfAFailureWithItsDetails() {
        StatusRuntimeException failure = assertThrows(
                StatusRuntimeException.class,
                () -> ClientCalls.blockingUnaryCall(channel, REFUSED, limited(), new byte[10]));
        assertEquals(Status.Code.FAILED_PRECONDITION, failure.getStatus().getCode());
        assertEquals("nothing is \u00fcbrig", failure.getStatus().getDescription());
        Metadata trailers = failure.getTrailers();
        assertEquals("no such account", trailers == null ? "no trailers" : trailers.get(DETAIL));
    }

    @Test
    void learnsThatAMethodIsUnknown() {
        StatusRuntimeException failure = assertThrows(
                StatusRuntimeException.class,
                () -> ClientCalls.blockingUnaryCall(
                        channel, method("Unknown", MethodType.UNARY), limited(), new byte[10]));
        assertEquals(Status.Code.UNIMPLEMENTED, failure.getStatus().getCode());
    }

    /** Before the messages and after them, binary values in Base64. */
    @Test
    void sendsAndReceivesMetadata() {
        Metadata sent = new Metadata();
        sent.put(KEY, new byte[] {0, -1, 127});
        AtomicReference<Metadata> headers = new AtomicReference<>();
        AtomicReference<Metadata> trailers = new AtomicReference<>();
        Channel with = ClientInterceptors.intercept(
                channel,
                MetadataUtils.newAttachHeadersInterceptor(sent),
                MetadataUtils.newCaptureMetadataInterceptor(headers, trailers));
        ClientCalls.blockingUnaryCall(with, UNARY, limited(), new byte[10]);
        assertArrayEquals(new byte[] {0, -1, 127}, key(headers.get()));
        assertArrayEquals(new byte[] {0, -1, 127}, key(trailers.get()));
    }

    private static byte[] key(@Nullable Metadata fields) {
        byte[] key = fields == null ? null : fields.get(KEY);
        return key == null ? new byte[0] : key;
    }

    @Test
    void receivesAStream() {
        Iterator<byte[]> messages = ClientCalls.blockingServerStreamingCall(channel, DOWN, limited(), new byte[] {10});
        for (int i = 0; i < 1000; i++) {
            assertTrue(Arrays.equals(message(i), messages.next()), "message " + i);
        }
        assertFalse(messages.hasNext());
    }

    @Test
    void sendsAStream() throws Exception {
        Answers answers = new Answers();
        StreamObserver<byte[]> call = ClientCalls.asyncClientStreamingCall(channel.newCall(UP, limited()), answers);
        long sum = 0;
        for (int i = 0; i < 1000; i++) {
            call.onNext(message(i));
            sum += message(i).length;
        }
        call.onCompleted();
        assertEquals(Long.toString(sum), new String(answers.next(), StandardCharsets.US_ASCII));
        answers.ended.get(LIMIT, TimeUnit.SECONDS);
    }

    /** Each message is sent before the next is created; both sides end after the last. */
    @Test
    void talksBothWays() throws Exception {
        Answers answers = new Answers();
        StreamObserver<byte[]> call = ClientCalls.asyncBidiStreamingCall(channel.newCall(BOTH, limited()), answers);
        for (int i = 0; i < 200; i++) {
            call.onNext(message(i));
            assertTrue(Arrays.equals(message(i), answers.next()), "message " + i);
        }
        call.onCompleted();
        answers.ended.get(LIMIT, TimeUnit.SECONDS);
    }

    @Test
    void tellsTheServiceThatACallIsCancelled() throws Exception {
        Future<byte[]> answer = ClientCalls.futureUnaryCall(channel.newCall(SILENT, limited()), new byte[10]);
        assertTrue(silent.await(LIMIT, TimeUnit.SECONDS));
        answer.cancel(true);
        assertTrue(cancelled.await(LIMIT, TimeUnit.SECONDS));
        ClientCalls.blockingUnaryCall(channel, UNARY, limited(), new byte[10]);
    }

    @Test
    void endsACallAtItsDeadline() {
        StatusRuntimeException failure = assertThrows(
                StatusRuntimeException.class,
                () -> ClientCalls.blockingUnaryCall(
                        channel,
                        SILENT,
                        CallOptions.DEFAULT.withDeadlineAfter(300, TimeUnit.MILLISECONDS),
                        new byte[10]));
        assertEquals(Status.Code.DEADLINE_EXCEEDED, failure.getStatus().getCode());
    }

    /** Passes messages as octets. */
    private static final class Octets implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Returns a key of the request, if it has one. */
    private static final class Mirror implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata received, ServerCallHandler<Q, A> next) {
            byte[] key = received.get(KEY);
            return next.startCall(
                    new SimpleForwardingServerCall<>(call) {
                        @Override
                        public void sendHeaders(Metadata headers) {
                            super.sendHeaders(with(headers));
                        }

                        @Override
                        public void close(Status status, Metadata trailers) {
                            super.close(status, with(trailers));
                        }

                        private Metadata with(Metadata fields) {
                            if (key != null) {
                                fields.put(KEY, key);
                            }
                            return fields;
                        }
                    },
                    received);
        }
    }

    /** Responds with the octets of all messages. */
    private static final class Sum implements StreamObserver<byte[]> {
        private final StreamObserver<byte[]> to;
        private long sum;

        Sum(StreamObserver<byte[]> to) {
            this.to = to;
        }

        @Override
        public void onNext(byte[] message) {
            sum += message.length;
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {
            to.onNext(Long.toString(sum).getBytes(StandardCharsets.US_ASCII));
            to.onCompleted();
        }
    }

    /** Echoes each message. */
    private static final class Echo implements StreamObserver<byte[]> {
        private final StreamObserver<byte[]> to;

        Echo(StreamObserver<byte[]> to) {
            this.to = to;
        }

        @Override
        public void onNext(byte[] message) {
            to.onNext(message);
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {
            to.onCompleted();
        }
    }

    /** The responses. */
    private static final class Answers implements StreamObserver<byte[]> {
        private final LinkedBlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
        private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

        byte[] next() throws InterruptedException {
            byte[] message = messages.poll(LIMIT, TimeUnit.SECONDS);
            if (message == null) {
                throw new AssertionError("no message within " + LIMIT + " seconds");
            }
            return message;
        }

        @Override
        public void onNext(byte[] message) {
            messages.add(message);
        }

        @Override
        public void onError(Throwable failure) {
            ended.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            ended.complete(true);
        }
    }
}
