package io.millrace.standalone;

import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.log.StandaloneLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The service manager that started this process, which is told how it is doing: systemd with {@code Type=notify}, or whatever sets
 * NOTIFY_SOCKET (sd_notify(3)). Its watchdog is fed as long as all threads that connections depend on answer. Thread-safe.
 *
 * <pre>
 * STARTING  every 5 s: EXTEND_TIMEOUT_USEC, since applications may take minutes
 * RUNNING   READY, then STATUS when it changes, WATCHDOG twice in its time
 * STOPPING  STOPPING, then every 5 s EXTEND_TIMEOUT_USEC while running requests may be waited for
 * </pre>
 */
final class ServiceManager {

    /** Of a process that nobody waits for. */
    static final ServiceManager NONE = new ServiceManager(null, 0);

    private static final long PERIOD_SECONDS = 5;
    private static final String MORE_TIME = "EXTEND_TIMEOUT_USEC=" + TimeUnit.SECONDS.toMicros(3 * PERIOD_SECONDS);

    /** The longest time that more time is asked for: a configured one may be unlimited. */
    private static final Duration LONGEST = Duration.ofDays(30);

    private static final long WARNING_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** A service, as it is when it is asked. */
    interface Service {

        /** A line for people. */
        String status();

        /** Completed when all threads that connections depend on have answered. */
        CompletionStage<Void> ping();
    }

    private enum Phase {
        STARTING,
        RUNNING,
        STOPPING
    }

    private final @Nullable Consumer<String> sender;
    private final long watchdogMicros;
    private final @Nullable ScheduledExecutorService thread;

    // guarded by this
    private Phase phase = Phase.STARTING;
    private @Nullable Service service;
    private String told = "";
    private long askUntil;
    private long lastWarning = System.nanoTime() - WARNING_NANOS;

    /** Confined to the thread. */
    private @Nullable CompletableFuture<Void> question;

    private boolean isWarned;

    private ServiceManager(@Nullable Consumer<String> sender, long watchdogMicros) {
        this.sender = sender;
        this.watchdogMicros = watchdogMicros;
        thread = sender == null ? null : executor();
    }

    private static ScheduledExecutorService executor() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, "millrace-systemd");
            made.setDaemon(true);
            return made;
        });
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return Executors.unconfigurableScheduledExecutorService(executor);
    }

    /**
     * The one of this process; {@link #NONE} without NOTIFY_SOCKET.
     *
     * @throws OperatorException if it waits for messages that cannot be sent; it would end the process after a minute, without a reason
     */
    static ServiceManager ofProcess() throws OperatorException {
        String address = given("NOTIFY_SOCKET");
        return address == null ? NONE : new ServiceManager(Senders.to(address), watchdogMicros());
    }

    /** One with a watchdog, if its time is not 0, that is told by other means. */
    static ServiceManager by(Consumer<String> sender, long watchdogMicros) {
        return new ServiceManager(sender, watchdogMicros);
    }

    /** The start script makes properties of these variables, so that no program that the server starts inherits them. */
    private static @Nullable String given(String variable) {
        String value = System.getProperty("millrace." + variable);
        value = value == null ? System.getenv(variable) : value;
        return value == null || value.isEmpty() ? null : value;
    }

    private static long watchdogMicros() throws OperatorException {
        String micros = given("WATCHDOG_USEC");
        String process = given("WATCHDOG_PID");
        if (micros == null
                || process != null
                        && !process.equals(Long.toString(ProcessHandle.current().pid()))) {
            return 0;
        }
        try {
            return Long.parseLong(micros);
        } catch (NumberFormatException e) {
            throw new OperatorException("WATCHDOG_USEC=" + micros + ": expected a number of microseconds");
        }
    }

    /**
     * Called before the applications start.
     *
     * @throws OperatorException if the first message cannot be sent
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the task handles its failures
    void starting() throws OperatorException {
        if (sender == null || thread == null) {
            return;
        }
        try {
            sender.accept("STATUS=applications are starting\n" + MORE_TIME);
        } catch (IllegalStateException e) {
            throw new OperatorException("NOTIFY_SOCKET is " + given("NOTIFY_SOCKET")
                    + ", but the service manager cannot be told that the server starts: " + e.getMessage());
        }
        thread.scheduleWithFixedDelay(this::look, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
    }

    /** Called when all ports are open. */
    @SuppressWarnings("FutureReturnValueIgnored") // the task handles its failures
    void ready(Service running) {
        if (thread == null) {
            return;
        }
        String status = running.status();
        synchronized (this) {
            service = running;
            phase = Phase.RUNNING;
            told = status;
        }
        tell("READY=1\nSTATUS=" + status + (watchdogMicros > 0 ? "\nWATCHDOG=1" : ""));
        if (watchdogMicros > 0) {
            long period = Math.max(1, watchdogMicros / 2);
            thread.scheduleAtFixedRate(() -> ask(running), period, period, TimeUnit.MICROSECONDS);
        }
    }

    /** Tells that the configuration is being read again, reads it, and tells that this has ended. */
    <T> T reloading(Supplier<T> reading) {
        // System.nanoTime is CLOCK_MONOTONIC, by which Type=notify-reload knows that the message follows its signal
        tell("RELOADING=1\nMONOTONIC_USEC=" + TimeUnit.NANOSECONDS.toMicros(System.nanoTime())
                + "\nSTATUS=reading the configuration again");
        try {
            return reading.get();
        } finally {
            Service running;
            synchronized (this) {
                running = service;
                told = "";
            }
            tell("READY=1" + (running == null ? "" : "\nSTATUS=" + running.status()));
        }
    }

    /**
     * Called when the server begins to stop.
     *
     * @param longest how long running requests may be waited for
     */
    void stopping(Duration longest) {
        Duration limited = longest.compareTo(LONGEST) < 0 ? longest : LONGEST;
        synchronized (this) {
            phase = Phase.STOPPING;
            askUntil = System.nanoTime() + limited.toNanos();
        }
        tell("STOPPING=1\nSTATUS=waiting for running requests, for " + limited.toSeconds() + " s at most\n"
                + MORE_TIME);
    }

    /** Called when nothing is left to tell about. */
    void ended() {
        if (thread != null) {
            thread.shutdown();
        }
        tell("STATUS=stopped");
    }

    private void look() {
        try {
            String message = next();
            if (message != null) {
                tell(message);
            }
        } catch (Throwable failed) { // a task that throws would be the last one
            warn(failed.toString());
        }
    }

    /** What is to be told now and then; null if nothing is. */
    private @Nullable String next() {
        Service running;
        synchronized (this) {
            if (phase == Phase.STARTING) {
                return MORE_TIME;
            }
            if (phase == Phase.STOPPING) {
                return System.nanoTime() - askUntil < 0 ? MORE_TIME : null;
            }
            running = service;
        }
        String status = running == null ? "" : running.status();
        synchronized (this) {
            if (phase != Phase.RUNNING || status.equals(told)) {
                return null;
            }
            told = status;
        }
        return "STATUS=" + status;
    }

    /** Asks the threads, unless they have not answered the last question; the answer feeds the watchdog. */
    private void ask(Service running) {
        try {
            CompletableFuture<Void> last = question;
            if (last != null && !last.isDone()) {
                if (!isWarned) {
                    isWarned = true;
                    StandaloneLog.SERVER.noAnswerToWatchdog(TimeUnit.MICROSECONDS.toMillis(watchdogMicros));
                }
                return;
            }
            isWarned = false;
            CompletableFuture<Void> answer = running.ping().toCompletableFuture();
            question = answer;
            if (thread != null) {
                // its rejection after the end concerns nobody
                answer.thenRunAsync(() -> tell("WATCHDOG=1"), thread).exceptionally(failed -> null);
            }
        } catch (Throwable failed) {
            warn(failed.toString());
        }
    }

    private void tell(String message) {
        if (sender != null) {
            try {
                sender.accept(message);
            } catch (IllegalStateException e) {
                warn(String.valueOf(e.getMessage()));
            }
        }
    }

    private synchronized void warn(String why) {
        long now = System.nanoTime();
        if (now - lastWarning >= WARNING_NANOS) {
            lastWarning = now;
            StandaloneLog.SERVER.serviceManagerNotTold(why);
        }
    }

    /** The ways to send a datagram to a Unix domain socket, which java.nio cannot do. */
    private static final class Senders {

        /** Of the module for native libraries, which this one does not need otherwise: it is compiled for Java 22. */
        private static final String NATIVE = "io.millrace.natives.UnixDatagrams";

        private static final int FIRST_JAVA = 22;
        private static final String PROGRAM = "systemd-notify";
        private static final long DEADLINE_SECONDS = 10;

        private Senders() {}

        static Consumer<String> to(String address) throws OperatorException {
            List<String> reasons = new ArrayList<>();
            try {
                return byNativeCalls(address);
            } catch (IllegalStateException e) {
                reasons.add(String.valueOf(e.getMessage()));
            }
            Path program = program();
            if (program != null) {
                return message -> run(program, address, message);
            }
            throw new OperatorException(
                    "NOTIFY_SOCKET is " + address + ", so the service manager waits until it is told that the"
                            + " server is ready, which is not possible: " + reasons.get(0)
                            + "; and there is no program " + PROGRAM
                            + " in PATH. Use Java " + FIRST_JAVA
                            + " or newer, install the program (Debian: package systemd), or"
                            + " write Type=exec in the unit");
        }

        @SuppressWarnings("unchecked") // the class implements that
        private static Consumer<String> byNativeCalls(String address) {
            if (Runtime.version().feature() < FIRST_JAVA) {
                throw new IllegalStateException("this is Java "
                        + Runtime.version().feature() + ", which has no datagrams for Unix domain sockets");
            }
            try {
                return Class.forName(NATIVE)
                        .asSubclass(Consumer.class)
                        .getConstructor(String.class)
                        .newInstance(address);
            } catch (ReflectiveOperationException | LinkageError e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                throw new IllegalStateException(
                        cause instanceof IllegalStateException ? cause.getMessage() : cause.toString(), cause);
            }
        }

        private static @Nullable Path program() {
            String path = System.getenv("PATH");
            for (String directory : (path == null ? "/usr/bin:/bin" : path).split(":", -1)) {
                Path file = Path.of(directory, PROGRAM);
                if (file.isAbsolute() && Files.isExecutable(file)) {
                    return file;
                }
            }
            return null;
        }

        /** It is another process than the main one: the unit needs NotifyAccess=all. */
        private static void run(Path program, String address, String message) {
            List<String> words = new ArrayList<>(List.of(program.toString()));
            words.addAll(message.lines().toList());
            ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
            builder.environment().putAll(Map.of("NOTIFY_SOCKET", address));
            try {
                Process process = builder.start();
                process.getOutputStream().close();
                if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    throw new IllegalStateException(PROGRAM + " did not end within " + DEADLINE_SECONDS + " s");
                }
                if (process.exitValue() != 0) {
                    throw new IllegalStateException(PROGRAM + ": "
                            + new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
                }
            } catch (IOException e) {
                throw new IllegalStateException(e.toString(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
