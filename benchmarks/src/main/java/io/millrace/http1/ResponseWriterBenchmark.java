package io.millrace.http1;

import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import io.millrace.http.ResponseHead;
import io.millrace.io.Payload;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Encoding a response head: a small one, and one with typical fields of an application. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ResponseWriterBenchmark {

    private final Http1Rules rules = new Http1Rules(Settings.DEFAULTS, "http");
    private final RequestHead request = new RequestHead(
            "GET",
            "/hello",
            new RequestPath("/hello", "/hello", null),
            null,
            HttpVersion.HTTP_1_1,
            "http",
            "localhost",
            new Headers(),
            0);
    private final byte[] body = new byte[13];

    @Benchmark
    public long small() {
        ResponseHead head = new ResponseHead().contentLength(body.length);
        head.headers().add("Content-Type", "text/plain");
        return write(head);
    }

    @Benchmark
    public long application() {
        ResponseHead head = new ResponseHead().contentLength(body.length);
        head.headers()
                .add("Content-Type", "text/html;charset=UTF-8")
                .add("Set-Cookie", "JSESSIONID=2B1E9C6F0A7D4C3B8E5F6A7B8C9D0E1F; Path=/shop; HttpOnly; SameSite=Lax")
                .add("Cache-Control", "no-cache, no-store, max-age=0, must-revalidate")
                .add("X-Content-Type-Options", "nosniff")
                .add("X-Frame-Options", "DENY")
                .add("Vary", "Accept-Encoding");
        return write(head);
    }

    private long write(ResponseHead head) {
        return new ResponseWriter(rules, request, true, false)
                .write(head, Payload.of(ByteBuffer.wrap(body)), true)[0].remaining();
    }
}
