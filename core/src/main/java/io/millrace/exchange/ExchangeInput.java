package io.millrace.exchange;

import io.millrace.io.Chunk;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ProtocolException;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A request's body, for the owner of the exchange: reads its stream until the end or a failure, and never after. */
final class ExchangeInput implements BodySource {

    private final HttpStream stream;
    private volatile RequestState state = RequestState.UNREAD;
    private volatile @Nullable IOException failure;

    ExchangeInput(HttpStream stream) {
        this.stream = stream;
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        if (state.isOver()) {
            IOException thrown = failure;
            if (thrown != null) {
                throw thrown;
            }
            return Chunk.END;
        }
        try {
            Chunk chunk = stream.read();
            boolean end = chunk != null && chunk.isEnd();
            move(end ? RequestState.Event.END : RequestState.Event.READ);
            return chunk;
        } catch (IOException thrown) {
            failure = thrown;
            move(RequestState.Event.FAIL);
            throw thrown;
        }
    }

    @Override
    public void awaitReadable(Runnable ready) {
        if (state.isOver()) {
            ready.run();
        } else {
            stream.awaitReadable(ready);
        }
    }

    @Override
    public void await(CountDownLatch latch) throws InterruptedException {
        stream.await(latch);
    }

    /** The exchange is over: what its handlers left running must not read the next request's bytes. */
    void close() {
        if (!state.isOver()) {
            failure = new IOException("the request is over");
            move(RequestState.Event.FAIL);
        }
    }

    /** True if reading failed because the connection did, not because the client sent something wrong. */
    boolean isBroken() {
        return failure != null && !(failure instanceof ProtocolException);
    }

    private void move(RequestState.Event event) {
        state = RequestState.next(state, event);
    }
}
