package io.millrace.standalone;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The distribution, run in the JVM of the tests by {@link Main#embed}, on a thread of its own. */
final class EmbeddedProduct implements ProductRun {

    private static final String BASE = "--base=";

    private final ProductLines lines;
    private final ProductClasses classes;
    private final String[] arguments;
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Consumer<Duration> stop;
    private boolean closed;
    private volatile int status = -1;

    private EmbeddedProduct(ProductLines lines, ProductClasses classes, String... arguments) {
        this.lines = lines;
        this.classes = classes;
        this.arguments = arguments;
    }

    static Product launch(String... arguments) throws IOException {
        requireNoLoggingFile(arguments);
        ProductLines lines = new ProductLines();
        EmbeddedProduct run = new EmbeddedProduct(lines, ProductClasses.acquire(lines), arguments);
        Thread main = new Thread(run::main, "main");
        main.setContextClassLoader(run.classes);
        main.setDaemon(true);
        main.start();
        return new Product(run, lines);
    }

    /** The JVM of the tests has configured its logging already. */
    private static void requireNoLoggingFile(String... arguments) {
        if (!arguments[0].equals("start")) {
            return;
        }
        Arrays.stream(arguments)
                .map(argument -> argument.startsWith(BASE) ? argument.substring(BASE.length()) : argument)
                .map(directory -> Path.of(directory, "conf/logging.properties"))
                .filter(Files::exists)
                .findFirst()
                .ifPresent(file -> {
                    throw new IllegalArgumentException(file + " works in Product.process() only");
                });
    }

    private void main() {
        try (PrintWriter out = new PrintWriter(lines.writer());
                PrintWriter err = new PrintWriter(lines.writer())) {
            status = classes.embed(out, err, this::serves, arguments);
        } catch (Throwable failed) {
            lines.add(failed.toString());
        } finally {
            classes.release();
            lines.end();
            ended.countDown();
        }
    }

    private void serves(Consumer<Duration> stops) {
        boolean atOnce;
        synchronized (this) {
            stop = stops;
            atOnce = closed;
        }
        if (atOnce) {
            stop(stops, Duration.ZERO);
        }
    }

    private static void stop(Consumer<Duration> stop, Duration longest) {
        new Thread(() -> stop.accept(longest), "stop").start();
    }

    private synchronized @Nullable Consumer<Duration> stop() {
        return stop;
    }

    @Override
    public long pid() {
        return ProcessHandle.current().pid();
    }

    @Override
    public boolean isAlone() {
        return false;
    }

    @Override
    public void terminate() {
        Consumer<Duration> served = stop();
        if (served == null) {
            throw new IllegalStateException("it does not serve yet; SIGTERM would end a process at once");
        }
        stop(served, ChronoUnit.FOREVER.getDuration());
    }

    @Override
    public int exitStatus() throws InterruptedException {
        if (!ended.await(Deadline.DEFAULT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("still running: " + lines.all());
        }
        return status;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        Consumer<Duration> served = stop();
        if (served != null) {
            served.accept(Duration.ZERO);
        }
        Deadline.await("the end of " + String.join(" ", arguments), Product.LONGEST_START, () -> ended.getCount() == 0);
    }
}
