package io.millrace.servlet;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.servlet.AsyncContext;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import javax.servlet.ServletOutputStream;
import javax.servlet.ServletResponse;
import javax.servlet.WriteListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;

/** Bodies as Flow streams, by the test suite of Reactive Streams, over streams that behave as the container's do. */
final class ReactiveStreamsTest {

    /** The container: calls of listeners come from a thread of its own, one at a time. */
    private static final ExecutorService CONTAINER = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "container");
        thread.setDaemon(true);
        return thread;
    });

    private static final TestEnvironment ENVIRONMENT = new TestEnvironment(2_000, 200);

    @AfterAll
    static void stop() {
        CONTAINER.shutdownNow();
    }

    /** What a publisher may do and this one does not: a body has one subscriber. */
    private static final Set<String> SEVERAL_SUBSCRIBERS = Set.of(
            "optional_spec111_maySupportMultiSubscribe",
            "optional_spec111_registeredSubscribersMustReceiveOnNextOrOnCompleteSignals",
            "optional_spec111_multicast_mustProduceTheSameElementsInTheSameSequenceToAllOfItsSubscribersWhenRequestingOneByOne",
            "optional_spec111_multicast_mustProduceTheSameElementsInTheSameSequenceToAllOfItsSubscribersWhenRequestingManyUpfront",
            "optional_spec111_multicast_mustProduceTheSameElementsInTheSameSequenceToAllOfItsSubscribersWhenRequestingManyUpfrontAndCompleteAsExpected");

    @TestFactory
    Stream<DynamicTest> ofThePublisher() {
        return TckMethods.of(PublisherSuite::new, PublisherSuite.class, SEVERAL_SUBSCRIBERS);
    }

    @TestFactory
    Stream<DynamicTest> ofTheSubscriber() {
        return TckMethods.of(SubscriberSuite::new, SubscriberSuite.class, Set.of());
    }

    /** The suite with our publishers. */
    public static final class PublisherSuite extends FlowPublisherVerification<ByteBuffer> {

        public PublisherSuite() {
            super(ENVIRONMENT);
        }

        @Override
        public Flow.Publisher<ByteBuffer> createFlowPublisher(long elements) {
            return new BodyPublisher(new Body(elements));
        }

        /** One whose body somebody else reads already. */
        @Override
        public Flow.Publisher<ByteBuffer> createFailedFlowPublisher() {
            BodyPublisher publisher = new BodyPublisher(new Body(1));
            publisher.subscribe(new Idle());
            return publisher;
        }
    }

    /** The suite with our subscribers. */
    public static final class SubscriberSuite extends FlowSubscriberBlackboxVerification<ByteBuffer> {

        public SubscriberSuite() {
            super(ENVIRONMENT);
        }

        @Override
        public Flow.Subscriber<ByteBuffer> createFlowSubscriber() {
            try {
                return new BodySubscriber(asynchronous());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public ByteBuffer createElement(int element) {
            return ByteBuffer.allocate(4).putInt(element).flip();
        }
    }

    private static final class Idle implements Flow.Subscriber<ByteBuffer> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {}

        @Override
        public void onNext(ByteBuffer buffer) {}

        @Override
        public void onError(Throwable thrown) {}

        @Override
        public void onComplete() {}
    }

    /** A body of so many pieces, each of a byte. Now and then the next has not come yet. */
    private static final class Body extends ServletInputStream {

        private static final int PAUSE = 3;

        private final AtomicLong left;
        private long asked;
        private @Nullable ReadListener listener;

        Body(long pieces) {
            left = new AtomicLong(pieces);
        }

        @Override
        public void setReadListener(ReadListener given) {
            listener = given;
            tell();
        }

        private void tell() {
            ReadListener told = Objects.requireNonNull(listener);
            CONTAINER.execute(() -> {
                try {
                    if (left.get() == 0) {
                        told.onAllDataRead();
                    } else {
                        told.onDataAvailable();
                    }
                } catch (IOException e) {
                    told.onError(e);
                }
            });
        }

        @Override
        public boolean isReady() {
            boolean ready = left.get() > 0 && ++asked % PAUSE != 0;
            if (!ready && left.get() > 0) {
                tell();
            }
            return ready;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            bytes[offset] = 1;
            if (left.decrementAndGet() == 0) {
                tell();
            }
            return 1;
        }

        @Override
        public int read() {
            throw new IllegalStateException("pieces are read at once");
        }

        @Override
        public boolean isFinished() {
            return left.get() == 0;
        }
    }

    /** Takes all that comes; between two pieces its client is slow. */
    private static final class Output extends ServletOutputStream {

        private @Nullable WriteListener listener;

        @Override
        public void setWriteListener(WriteListener given) {
            listener = given;
            tell();
        }

        private void tell() {
            WriteListener told = Objects.requireNonNull(listener);
            CONTAINER.execute(() -> {
                try {
                    told.onWritePossible();
                } catch (IOException e) {
                    told.onError(e);
                }
            });
        }

        @Override
        public boolean isReady() {
            tell();
            return false;
        }

        @Override
        public void write(int octet) {}

        @Override
        public void write(byte[] bytes, int offset, int length) {}
    }

    /** An asynchronous request whose response is committed, and takes bytes. */
    private static AsyncContext asynchronous() {
        ServletOutputStream output = new Output();
        ServletResponse response = proxy(ServletResponse.class, "getOutputStream", output);
        return proxy(AsyncContext.class, "getResponse", response);
    }

    private static <T> T proxy(Class<T> type, String name, Object answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> method.getName().equals(name)
                        ? answer
                        : method.getReturnType() == boolean.class ? Boolean.FALSE : null));
    }
}
