package io.millrace.benchmarks;

import io.millrace.io.BufferPool;
import io.millrace.io.BufferPoolExhaustedException;
import io.millrace.io.Chunk;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;

/** Leasing and releasing one buffer, on one thread and on four concurrently. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BufferPoolBenchmark {

    private final BufferPool pool = new BufferPool(64 << 20);

    @Benchmark
    public int oneThread() throws BufferPoolExhaustedException {
        return leaseAndRelease();
    }

    @Benchmark
    @Threads(4)
    public int fourThreads() throws BufferPoolExhaustedException {
        return leaseAndRelease();
    }

    private int leaseAndRelease() throws BufferPoolExhaustedException {
        Chunk chunk = pool.lease();
        int capacity = chunk.bytes().capacity();
        chunk.release();
        return capacity;
    }
}
