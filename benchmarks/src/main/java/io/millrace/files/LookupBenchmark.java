package io.millrace.files;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Looking up one of a thousand cached files and retaining it for a response. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LookupBenchmark {

    private static final int FILES = 1_000;

    private final FileCache cache =
            new FileCache(CacheLimits.DEFAULTS.withAdmission(1).withFreshness(Duration.ofDays(1)));
    private final Cache<String, CachedFile> caffeine = Caffeine.newBuilder()
            .maximumWeight(16 << 20)
            .weigher((String key, CachedFile file) ->
                    (int) file.forms().get(0).file().length())
            .build();
    private int next;

    @Setup
    public void fill() throws IOException {
        for (int i = 0; i < FILES; i++) {
            CachedFile file = cache.put(MadeUpFile.known(i, 1024));
            Content content = cache.open(file, file.forms().get(0), false);
            if (content != null) {
                content.release();
            }
            caffeine.put(file.key(), file);
        }
    }

    @Benchmark
    public @Nullable Object ours() {
        CachedFile file = cache.fresh(key());
        return file == null ? null : released(cache.held(file, file.forms().get(0)));
    }

    /** With the same reference counting, which Caffeine lacks. */
    @Benchmark
    public @Nullable Object caffeine() {
        CachedFile file = caffeine.getIfPresent(key());
        return file == null ? null : released(file.forms().get(0).retained());
    }

    private String key() {
        next = next == FILES - 1 ? 0 : next + 1;
        return MadeUpFile.key(next);
    }

    private static @Nullable Object released(@Nullable Content content) {
        if (content != null) {
            content.release();
        }
        return content;
    }
}
