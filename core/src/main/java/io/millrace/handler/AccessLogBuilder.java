package io.millrace.handler;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Describes an {@link AccessLog}. */
public final class AccessLogBuilder {

    /** Entries that may wait for the writer: a burst of a fraction of a second. */
    private static final int DEFAULT_QUEUE = 16_384;

    private AccessPattern pattern = AccessPattern.of("common");
    private @Nullable Path directory;
    private String prefix = "access_log";
    private String suffix = "";
    private String fileDateFormat = ".yyyy-MM-dd";
    private boolean renameOnRotate;
    private int maxDays = -1;
    private boolean checkExists;
    private int queueSize = DEFAULT_QUEUE;
    private boolean blockWhenFull;
    private boolean relayed;
    private Duration flushInterval = Duration.ofSeconds(1);

    AccessLogBuilder() {}

    /**
     * What a line says: {@code common}, {@code combined}, or a text with Tomcat's {@code %} codes, as the user guide lists
     * them. {@code common} otherwise.
     *
     * @throws IllegalArgumentException naming a code that is not known
     */
    public AccessLogBuilder pattern(String value) {
        pattern = AccessPattern.of(value);
        return this;
    }

    /** Writes to files in this directory, which is made if need be, instead of standard output. */
    public AccessLogBuilder directory(Path value) {
        directory = Objects.requireNonNull(value);
        return this;
    }

    /** What a file's name begins with, {@code access_log} otherwise. */
    public AccessLogBuilder prefix(String value) {
        prefix = Objects.requireNonNull(value);
        return this;
    }

    /** What a file's name ends with; nothing otherwise. */
    public AccessLogBuilder suffix(String value) {
        suffix = Objects.requireNonNull(value);
        return this;
    }

    /**
     * The part between prefix and suffix, a pattern of {@link java.time.format.DateTimeFormatter}: when it yields another
     * text, another file begins. {@code .yyyy-MM-dd} otherwise, which is one file a day; empty for one file for ever.
     */
    public AccessLogBuilder fileDateFormat(String value) {
        fileDateFormat = Objects.requireNonNull(value);
        return this;
    }

    /** Whether the file in use has no date in its name, and gets one when another begins; false otherwise. */
    public AccessLogBuilder renameOnRotate(boolean value) {
        renameOnRotate = value;
        return this;
    }

    /** Files with a date that were last written more days ago are deleted; zero or less, which is the default, keeps all. */
    public AccessLogBuilder maxDays(int value) {
        maxDays = value;
        return this;
    }

    /**
     * Whether a file that was renamed or deleted by somebody else, logrotate for example, is begun anew, within a second; false
     * otherwise.
     */
    public AccessLogBuilder checkExists(boolean value) {
        checkExists = value;
        return this;
    }

    /** How many requests may wait for the writer; 16,384 otherwise. Rounded up to a power of two. */
    public AccessLogBuilder queueSize(int value) {
        if (value < 1 || value > 1 << 24) {
            throw new IllegalArgumentException("queueSize is " + value + "; expected a value from 1 to " + (1 << 24));
        }
        queueSize = value;
        return this;
    }

    /**
     * Whether requests wait while the queue is full; that stalls the server when the disk does. Otherwise lines are
     * dropped and {@linkplain AccessLog#dropped counted}.
     */
    public AccessLogBuilder blockWhenFull(boolean value) {
        blockWhenFull = value;
        return this;
    }

    /**
     * Whether lines show requests as they were before a front end relayed them, if a {@link io.millrace.forwarded.Relay}
     * behind this log has found that out; false otherwise, as in Tomcat ({@code requestAttributesEnabled}). A relay before
     * the log needs no such leave: nothing else is seen then.
     */
    public AccessLogBuilder relayed(boolean value) {
        relayed = value;
        return this;
    }

    /** How old a line may become before it is written; one second otherwise. */
    public AccessLogBuilder flushInterval(Duration value) {
        flushInterval = Objects.requireNonNull(value);
        return this;
    }

    /**
     * Opens the log.
     *
     * @throws IOException if a file can't be opened in the directory
     */
    public AccessLog open() throws IOException {
        AccessOutput output = directory == null
                ? AccessOutput.standard()
                : new RotatingFile(
                        LogFiles.of(directory, prefix, suffix, fileDateFormat, renameOnRotate, maxDays, checkExists));
        AccessWriter writer =
                new AccessWriter(pattern, output, new EntryQueue(queueSize), blockWhenFull, flushInterval);
        return new AccessLog(writer, pattern.needsCommitTime(), relayed);
    }
}
