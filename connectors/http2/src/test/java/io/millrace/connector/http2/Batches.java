package io.millrace.connector.http2;

import io.millrace.io.BufferPool;
import io.millrace.io.Payload;
import io.millrace.protocol.mux.Batch;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** The output of protocols into a batch, as octets. */
final class Batches {

    private Batches() {}

    /** The octets that are written into one batch. */
    static byte[] write(Consumer<Batch> writing) {
        Batch batch = new Batch(new BufferPool(1 << 20));
        writing.accept(batch);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (ByteBuffer buffer : ((Payload.Bytes) batch.payload()).buffers()) {
            byte[] part = new byte[buffer.remaining()];
            buffer.get(part);
            bytes.writeBytes(part);
        }
        batch.release();
        return bytes.toByteArray();
    }
}
