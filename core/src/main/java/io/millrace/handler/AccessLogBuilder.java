package io.millrace.handler;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Configures an {@link AccessLog}. */
public final class AccessLogBuilder {

    /** Enough for a burst of a fraction of a second. */
    private static final int DEFAULT_QUEUE = 16_384;

    private AccessLogFormat format = AccessLogFormat.PATTERN;
    private String pattern = "common";
    private @Nullable Path directory;
    private String prefix = "access_log";
    private String suffix = "";
    private String fileDateFormat = ".yyyy-MM-dd";
    private boolean renameOnRotate;
    private int maxDays = -1;
    private boolean checkExists;
    private long limit;
    private int count;
    private int queueSize = DEFAULT_QUEUE;
    private boolean blockWhenFull;
    private boolean relayed;
    private boolean ipv6Canonical;
    private Locale locale = Locale.getDefault();
    private Charset charset = StandardCharsets.UTF_8;
    private AccessLog.Condition condition = AccessLog.Condition.ALWAYS;
    private Duration flushInterval = Duration.ofSeconds(1);

    AccessLogBuilder() {}

    /**
     * The format of lines: {@code common}, {@code combined}, or a pattern of Tomcat's {@code %} codes, as listed in the
     * user guide. Default: {@code common}.
     *
     * @throws IllegalArgumentException if a code is unknown; the message names it
     */
    public AccessLogBuilder pattern(String value) {
        return pattern(AccessLogFormat.PATTERN, value);
    }

    /**
     * The kind of lines, and their pattern.
     *
     * @throws IllegalArgumentException if the pattern is invalid; the message names the unknown part
     */
    public AccessLogBuilder pattern(AccessLogFormat kind, String value) {
        kind.parse(value, settings());
        format = kind;
        pattern = value;
        return this;
    }

    private AccessFormat.Settings settings() {
        return new AccessFormat.Settings(locale, ipv6Canonical, relayed);
    }

    /** The locale of times with an explicit pattern, {@code %{EEE}t}. Default: that of the process. */
    public AccessLogBuilder locale(Locale value) {
        locale = Objects.requireNonNull(value);
        return this;
    }

    /**
     * The encoding of lines. Default: UTF-8.
     *
     * @throws IllegalArgumentException if it does not encode ASCII as single bytes, as for example UTF-16
     */
    public AccessLogBuilder charset(Charset value) {
        byte[] ascii = "\n\"a".getBytes(StandardCharsets.US_ASCII);
        if (!value.canEncode() || !Arrays.equals("\n\"a".getBytes(value), ascii)) {
            throw new IllegalArgumentException(
                    "encoding is " + value + "; expected one that contains ASCII, such as UTF-8 or ISO-8859-1");
        }
        charset = value;
        return this;
    }

    /**
     * Whether IPv6 addresses are written in the canonical form of RFC 5952, {@code ::1}. Default: false, with all
     * groups, {@code 0:0:0:0:0:0:0:1}.
     */
    public AccessLogBuilder ipv6Canonical(boolean value) {
        ipv6Canonical = value;
        return this;
    }

    /**
     * Logs only requests with one attribute of the Servlet API, and without another one, when they end. A request that
     * did not reach a web application has no attributes.
     *
     * @param present null for no condition
     * @param absent null for no condition
     */
    public AccessLogBuilder attributes(@Nullable String present, @Nullable String absent) {
        condition = AccessLog.Condition.of(present, absent);
        return this;
    }

    /** Writes to files in this directory, which is created if necessary, instead of standard output. */
    public AccessLogBuilder directory(Path value) {
        directory = Objects.requireNonNull(value);
        return this;
    }

    /** The prefix of file names. Default: {@code access_log}. */
    public AccessLogBuilder prefix(String value) {
        prefix = Objects.requireNonNull(value);
        return this;
    }

    /** The suffix of file names. Default: none. */
    public AccessLogBuilder suffix(String value) {
        suffix = Objects.requireNonNull(value);
        return this;
    }

    /**
     * The part of file names between prefix and suffix, a pattern of {@link java.text.SimpleDateFormat} in English: the
     * log is rotated when its value changes. The default {@code .yyyy-MM-dd} rotates daily; with an empty pattern the
     * log is never rotated.
     */
    public AccessLogBuilder fileDateFormat(String value) {
        fileDateFormat = Objects.requireNonNull(value);
        return this;
    }

    /** Whether the current file has no date in its name, and is renamed when it is rotated. Default: false. */
    public AccessLogBuilder renameOnRotate(boolean value) {
        renameOnRotate = value;
        return this;
    }

    /** The number of days after which rotated files are deleted; zero or less, the default, keeps all. */
    public AccessLogBuilder maxDays(int value) {
        maxDays = value;
        return this;
    }

    /**
     * The size in bytes at which a file is rotated, whatever the date: it gets a number ({@code .1}, {@code .2}) before its
     * suffix. Zero, the default: no limit.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public AccessLogBuilder limit(long bytes) {
        limit = requireNatural("limit", bytes);
        return this;
    }

    /**
     * The number of rotated files that are kept, the latest ones. Zero, the default: all.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public AccessLogBuilder count(int files) {
        count = (int) requireNatural("count", files);
        return this;
    }

    private static long requireNatural(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " is " + value + "; expected at least 0");
        }
        return value;
    }

    /**
     * Whether a file that was renamed or deleted by another program, logrotate for example, is created again within a
     * second. Default: false.
     */
    public AccessLogBuilder checkExists(boolean value) {
        checkExists = value;
        return this;
    }

    /**
     * The capacity of the queue between requests and the writer thread, rounded up to a power of two. Default: 16,384.
     *
     * @throws IllegalArgumentException if it is not between 1 and 2^24
     */
    public AccessLogBuilder queueSize(int value) {
        if (value < 1 || value > 1 << 24) {
            throw new IllegalArgumentException("queueSize is " + value + "; expected a value from 1 to " + (1 << 24));
        }
        queueSize = value;
        return this;
    }

    /**
     * Whether requests block while the queue is full, so that a slow disk stalls the server. Default: false, entries are
     * dropped and {@linkplain AccessLog#dropped counted}.
     */
    public AccessLogBuilder blockWhenFull(boolean value) {
        blockWhenFull = value;
        return this;
    }

    /**
     * Whether lines show the client address and other data that a {@link io.millrace.forwarded.Relay} behind this log,
     * or a RemoteIpFilter of the application, has taken from a front end. Default: false, as in Tomcat ({@code
     * requestAttributesEnabled}). A relay in front of the log always affects it.
     */
    public AccessLogBuilder relayed(boolean value) {
        relayed = value;
        return this;
    }

    /** The maximum time before a line is written. Default: one second. Zero: each line is written immediately. */
    public AccessLogBuilder flushInterval(Duration value) {
        flushInterval = Objects.requireNonNull(value);
        return this;
    }

    /**
     * Opens the log and starts its writer thread.
     *
     * @throws IOException if the file cannot be opened
     */
    public AccessLog open() throws IOException {
        AccessFormat lines = format.parse(pattern, settings());
        AccessWriter.Output output = output(lines.header().getBytes(charset));
        AccessWriter writer = new AccessWriter(
                lines,
                charset.equals(StandardCharsets.UTF_8) ? output : AccessWriter.Output.encoded(charset, output),
                queueSize,
                blockWhenFull,
                flushInterval);
        return new AccessLog(writer, lines, condition, relayed);
    }

    private AccessWriter.Output output(byte[] header) throws IOException {
        if (directory != null) {
            LogFiles files = LogFiles.of(
                            directory, prefix, suffix, fileDateFormat, renameOnRotate, maxDays, checkExists)
                    .limited(limit, count);
            return new RotatingFile(files, header);
        }
        AccessWriter.Output standard = AccessWriter.Output.standard();
        standard.write(header, header.length, System.currentTimeMillis());
        return standard;
    }
}
