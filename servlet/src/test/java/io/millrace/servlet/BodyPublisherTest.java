package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Flow;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever goes wrong, its subscriber … */
final class BodyPublisherTest {

    private final List<String> signals = new ArrayList<>();
    private final Body body = new Body();

    @Test
    void hearsOfItsOwnFailureAndNothingMore() throws IOException {
        subscribe(buffer -> {
            throw new IllegalArgumentException("the subscriber's own");
        });
        body.listener().onDataAvailable();
        body.listener().onDataAvailable();
        body.listener().onError(new IOException("Connection reset"));
        assertEquals(List.of("next", "error IllegalArgumentException"), signals);
    }

    @Test
    void hearsOfAStreamThatThrowsWhatItMustNot() throws IOException {
        subscribe(buffer -> {});
        body.ready = () -> {
            throw new IllegalStateException("the request has ended");
        };
        body.listener().onDataAvailable();
        assertEquals(List.of("error IllegalStateException"), signals);
    }

    @Test
    void hearsOfItsOwnErrorToo() throws IOException {
        subscribe(buffer -> {
            throw new AssertionError("an error");
        });
        body.listener().onDataAvailable();
        assertEquals(List.of("next", "error AssertionError"), signals);
    }

    @Test
    void mayThrowAtItsLastSignal() {
        subscribe(buffer -> {});
        body.failOnError = true;
        body.listener().onError(new IOException("Connection reset"));
        assertEquals(List.of("error IOException"), signals);
    }

    private interface Next {
        void accept(ByteBuffer buffer);
    }

    private void subscribe(Next next) {
        new BodyPublisher(body).subscribe(new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                subscription.request(10);
            }

            @Override
            public void onNext(ByteBuffer buffer) {
                signals.add("next");
                next.accept(buffer);
            }

            @Override
            public void onError(Throwable thrown) {
                signals.add("error " + thrown.getClass().getSimpleName());
                if (body.failOnError) {
                    throw new IllegalStateException("again");
                }
            }

            @Override
            public void onComplete() {
                signals.add("complete");
            }
        });
    }

    /** Has bytes without an end. */
    private static final class Body extends ServletInputStream {

        private @Nullable ReadListener listener;
        private Runnable ready = () -> {};
        private boolean failOnError;

        ReadListener listener() {
            return Objects.requireNonNull(listener);
        }

        @Override
        public int read() {
            return 'x';
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            return 1;
        }

        @Override
        public boolean isFinished() {
            return false;
        }

        @Override
        public boolean isReady() {
            ready.run();
            return true;
        }

        @Override
        public void setReadListener(ReadListener given) {
            listener = given;
        }
    }
}
