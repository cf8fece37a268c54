package io.millrace.testkit;

import io.millrace.io.Chunk;
import io.millrace.protocol.HttpStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.function.Consumer;

/** Reads a body to its end by the rules of {@link HttpStream}, holding no chunk while it waits. */
record ContractBody(
        HttpStream stream,
        ByteArrayOutputStream collected,
        ContractServer.BodyConsumer then,
        Consumer<IOException> failed)
        implements Runnable {

    @Override
    public void run() {
        try {
            Chunk chunk = stream.read();
            while (chunk != null && !chunk.isEnd()) {
                Patterns.append(chunk, collected);
                chunk = stream.read();
            }
            if (chunk == null) {
                stream.awaitReadable(this);
            } else {
                then.accept(collected.toByteArray());
            }
        } catch (IOException e) {
            failed.accept(e);
        }
    }
}
