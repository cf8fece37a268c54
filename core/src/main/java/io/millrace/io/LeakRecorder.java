package io.millrace.io;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Records where each outstanding chunk was leased. */
final class LeakRecorder {

    private final Map<PooledChunk, Throwable> places = new ConcurrentHashMap<>();

    void leased(PooledChunk chunk) {
        places.put(chunk, new Throwable("leased on " + Thread.currentThread().getName()));
    }

    void released(PooledChunk chunk) {
        places.remove(chunk);
    }

    String report() {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        for (Throwable place : places.values()) {
            place.printStackTrace(out);
        }
        return text.toString();
    }
}
