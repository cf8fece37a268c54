package io.millrace.testkit;

import io.millrace.client.ClientException;
import io.millrace.client.ClientStream;
import io.millrace.client.ResponseListener;
import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.io.Chunk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads a response to its end, and records the calls of the listener as a text: {@code 103 200[length](body)END}. */
public final class ClientTranscript implements ResponseListener {

    private final StringBuilder text = new StringBuilder();
    private final CompletableFuture<String> whole = new CompletableFuture<>();
    private @Nullable ClientException failure;

    /** The complete text, after the response has ended. */
    public String await() throws Exception {
        return Deadline.await(whole);
    }

    /** Runs an action when the response has ended, on the thread that has read its end. */
    public void atEnd(Runnable action) {
        var unused = whole.thenRun(action);
    }

    /** Whether the response has ended. */
    public boolean isOver() {
        return whole.isDone();
    }

    /** The text so far. */
    public synchronized String text() {
        return text.toString();
    }

    /** Why there was no head; null if there was one. */
    public synchronized @Nullable ClientException failure() {
        return failure;
    }

    @Override
    public synchronized void onInform(int status, Headers fields) {
        text.append(status).append(' ');
    }

    @Override
    public void onHeadSent(ClientStream stream) {}

    @Override
    public void onHead(ClientStream stream, ResponseHead head) {
        append(head.status() + "[" + head.contentLength() + "]");
        read(stream);
    }

    @Override
    public void onFailed(ClientException thrown) {
        synchronized (this) {
            failure = thrown;
            text.append(thrown.reason()).append('/').append(thrown.processed());
        }
        whole.complete(text());
    }

    private void read(ClientStream stream) {
        try {
            Chunk chunk = stream.read();
            while (chunk != null && !chunk.isEnd()) {
                append("(" + StandardCharsets.ISO_8859_1.decode(chunk.bytes()) + ")");
                chunk.release();
                chunk = stream.read();
            }
            if (chunk == null) {
                stream.awaitReadable(() -> read(stream));
                return;
            }
            Headers trailers = stream.trailers();
            for (int i = 0; trailers != null && i < trailers.size(); i++) {
                append("{" + trailers.name(i) + ": " + trailers.value(i) + "}");
            }
            append("END");
        } catch (IOException broken) {
            append("CUT");
        }
        whole.complete(text());
    }

    private synchronized void append(String more) {
        String joined = text.append(more).toString().replace(")(", "");
        text.setLength(0);
        text.append(joined);
    }
}
