package io.millrace.benchmarks;

import io.millrace.http.Headers;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The header map with the fields of a browser. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HeadersBenchmark {

    private static final String[] BROWSER = {
        "Host",
        "User-Agent",
        "Accept",
        "Accept-Language",
        "Accept-Encoding",
        "Connection",
        "Cookie",
        "Referer",
        "Sec-Fetch-Dest",
        "Sec-Fetch-Mode",
        "Sec-Fetch-Site",
        "Cache-Control"
    };

    private final Headers headers = filled();

    @Benchmark
    public Headers fill() {
        return filled();
    }

    @Benchmark
    public @Nullable String getFirst() {
        return headers.get("Host");
    }

    @Benchmark
    public @Nullable String getOtherSpelling() {
        return headers.get("cookie");
    }

    @Benchmark
    public @Nullable String getMissing() {
        return headers.get("If-Modified-Since");
    }

    private static Headers filled() {
        Headers headers = new Headers();
        for (String name : BROWSER) {
            headers.add(name, "value");
        }
        return headers;
    }
}
