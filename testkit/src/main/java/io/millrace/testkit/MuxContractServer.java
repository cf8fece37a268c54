package io.millrace.testkit;

import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.io.Chunk;
import io.millrace.io.Payload;
import io.millrace.io.Turns;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The server of the {@link MuxContract}, whose path selects the behaviour: {@code /hold} keeps the stream, {@code /download?SIZE}
 * sends so many octets, and any other path reads the body to its end. Runs on workers, except {@code /hold}.
 */
final class MuxContractServer {

    private final Queue<HttpStream> held = new ConcurrentLinkedQueue<>();
    private final AtomicLong uploaded = new AtomicLong();
    private final AtomicInteger uploads = new AtomicInteger();

    /** The streams of {@code /hold}. */
    Queue<HttpStream> held() {
        return held;
    }

    /** The octets of bodies that were read. */
    long uploaded() {
        return uploaded.get();
    }

    /** The number of bodies that were read to their end. */
    int uploads() {
        return uploads.get();
    }

    /** The dispatcher, with a pool for what blocks. */
    Dispatcher on(ExecutorService pool) {
        return new Answers(pool);
    }

    static void respond(HttpStream stream, int size) {
        stream.send(new ResponseHead(), Payload.of(ByteBuffer.allocate(size)), true, failure -> {
            if (failure == null) {
                stream.end();
            } else {
                stream.abort(failure);
            }
        });
    }

    private final class Answers implements Dispatcher {

        private final ExecutorService pool;

        Answers(ExecutorService pool) {
            this.pool = pool;
        }

        @Override
        public void dispatch(RequestHead request, HttpStream stream) {
            switch (request.path().decoded()) {
                case "/hold" -> held.add(stream);
                case "/download" ->
                    pool.execute(() -> respond(stream, Integer.parseInt(String.valueOf(request.query()))));
                default -> pool.execute(() -> swallow(stream));
            }
        }

        @Override
        public Turns turns() {
            return pool::execute;
        }

        /** Blocks a thread, as a servlet does. */
        private void swallow(HttpStream stream) {
            try {
                Chunk chunk = stream.read();
                while (chunk == null || !chunk.isEnd()) {
                    if (chunk == null) {
                        CountDownLatch ready = new CountDownLatch(1);
                        stream.awaitReadable(ready::countDown);
                        Deadline.awaitUninterrupted(ready);
                    } else {
                        uploaded.addAndGet(chunk.bytes().remaining());
                        chunk.release();
                    }
                    chunk = stream.read();
                }
                uploads.incrementAndGet();
                respond(stream, 10);
            } catch (IOException lost) {
                stream.abort(lost);
            }
        }
    }
}
