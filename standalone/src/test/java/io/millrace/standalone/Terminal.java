package io.millrace.standalone;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A shell with commands that a reader of the guide pastes, and what they print. */
final class Terminal implements AutoCloseable {

    /** Of an application that takes ten seconds to start, on a machine with other things to do. */
    private static final Duration LONGEST = Duration.ofMinutes(3);
    /** How a program ends that has no status of its own for SIGTERM. */
    private static final int TERMINATED = 128 + 15;

    private final QuickStart.Step step;
    private final Process process;
    private final StringBuilder output = new StringBuilder();
    private final CountDownLatch ended = new CountDownLatch(1);

    private Terminal(QuickStart.Step step, Process process) {
        this.step = step;
        this.process = process;
        Thread reader = new Thread(this::readOutput, "output of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    static Terminal paste(QuickStart.Step step, Path directory, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(List.of("sh", "-euc", step.commands() + "exit $?\n"))
                .directory(directory.toFile())
                .redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        return new Terminal(step, process);
    }

    /** Waits until it has printed what the page shows; a program that serves goes on. */
    void awaitOutput() {
        try {
            Deadline.await("the output that the page shows", LONGEST, () -> ended.getCount() == 0 || servesAsShown());
        } catch (AssertionError late) {
            throw new AssertionError(late.getMessage() + ":\n" + step.expected() + "of\n" + this, late);
        }
        if (ended.getCount() == 0) {
            requireShown();
        }
    }

    /** Stops it as Ctrl-C would, if it is still running. */
    void stop() throws InterruptedException {
        if (ended.getCount() == 0) {
            requireShown();
            return;
        }
        all().forEach(ProcessHandle::destroy);
        if (!process.waitFor(Deadline.DEFAULT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("still running: " + this);
        }
        int status = process.exitValue();
        if (status != 0 && status != TERMINATED) {
            throw new AssertionError("stopped with status " + status + ": " + this);
        }
    }

    /** Kills what is left of it. */
    @Override
    public void close() {
        all().forEach(ProcessHandle::destroyForcibly);
        process.onExit().join();
    }

    @Override
    public String toString() {
        return step.commands() + "printed:\n" + output();
    }

    /** The programs first, then their shell, which waits for them. */
    private Stream<ProcessHandle> all() {
        List<ProcessHandle> programs = process.descendants().toList();
        return programs.isEmpty() ? Stream.of(process.toHandle()) : programs.stream();
    }

    private boolean servesAsShown() {
        return !step.expected().isEmpty() && step.pattern().matcher(output()).lookingAt();
    }

    private void requireShown() {
        int status = process.onExit().join().exitValue();
        if (status != 0 || !step.pattern().matcher(output()).matches()) {
            throw new AssertionError(this + "with status " + status + ", but the page shows:\n" + step.expected());
        }
    }

    private String output() {
        synchronized (output) {
            return output.toString();
        }
    }

    private void readOutput() {
        char[] characters = new char[1024];
        try (Reader reader = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)) {
            for (int count = reader.read(characters); count >= 0; count = reader.read(characters)) {
                synchronized (output) {
                    output.append(characters, 0, count);
                }
            }
        } catch (IOException e) {
            if (process.isAlive()) { // the output of one that is killed ends like this
                throw new UncheckedIOException(e);
            }
        } finally {
            ended.countDown();
        }
    }
}
