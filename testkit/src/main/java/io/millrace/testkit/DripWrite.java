package io.millrace.testkit;

import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One payload being written a byte at a time. */
final class DripWrite implements Completion {

    private final Connection below;
    private final Payload payload;
    private final Completion completion;

    private long written;

    // guarded by this
    private boolean looping;
    private boolean stepDone;
    private @Nullable Throwable failure;

    DripWrite(Connection below, Payload payload, Completion completion) {
        this.below = below;
        this.payload = payload;
        this.completion = completion;
    }

    void start() {
        synchronized (this) {
            looping = true;
            stepDone = true;
        }
        loop();
    }

    @Override
    public void done(@Nullable Throwable problem) {
        synchronized (this) {
            stepDone = true;
            failure = problem;
            if (looping) {
                return;
            }
            looping = true;
        }
        loop();
    }

    private void loop() {
        while (takeStep()) {
            Payload next = next();
            if (next == null) {
                completion.done(failure());
                return;
            }
            below.write(next, this);
        }
    }

    private synchronized boolean takeStep() {
        looping = stepDone;
        stepDone = false;
        return looping;
    }

    private synchronized @Nullable Throwable failure() {
        return failure;
    }

    private @Nullable Payload next() {
        if (failure() != null) {
            return null;
        }
        if (payload instanceof Payload.FileRegion region) {
            return written < region.remaining()
                    ? new Payload.FileRegion(region.file(), region.position() + written++, 1)
                    : null;
        }
        if (payload instanceof Payload.Bytes bytes) {
            for (ByteBuffer buffer : bytes.buffers()) {
                if (buffer.hasRemaining()) {
                    return Payload.of(ByteBuffer.wrap(new byte[] {buffer.get()}));
                }
            }
        }
        return null;
    }
}
