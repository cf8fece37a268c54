package io.millrace.websocket;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** It … */
class MessageDeflaterTest {

    /** An idle connection with context takeover holds a compressor, but no reference to messages. */
    @Test
    void holdsNoMessageThatItHasCompressed() {
        MessageDeflater deflater = new MessageDeflater(true);
        WeakReference<ByteBuffer> message = compress(deflater);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (message.get() != null && System.nanoTime() - end < 0) {
            System.gc();
        }
        assertNull(message.get());
        deflater.close();
    }

    private static WeakReference<ByteBuffer> compress(MessageDeflater deflater) {
        byte[] bytes = new byte[10_000];
        new Random(1).nextBytes(bytes);
        ByteBuffer message = ByteBuffer.wrap(bytes);
        assertTrue(deflater.compress(message, true).hasRemaining());
        return new WeakReference<>(message);
    }
}
