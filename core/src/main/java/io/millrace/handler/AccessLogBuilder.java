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

/** Describes an {@link AccessLog}. */
public final class AccessLogBuilder {

    /** Entries that may wait for the writer: a burst of a fraction of a second. */
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
    private int queueSize = DEFAULT_QUEUE;
    private boolean blockWhenFull;
    private boolean relayed;
    private boolean ipv6Canonical;
    private Locale locale = Locale.getDefault();
    private Charset charset = StandardCharsets.UTF_8;
    private AccessCondition condition = AccessCondition.ALWAYS;
    private Duration flushInterval = Duration.ofSeconds(1);

    AccessLogBuilder() {}

    /**
     * What a line says: {@code common}, {@code combined}, or a text with Tomcat's {@code %} codes, as the user guide lists
     * them. {@code common} otherwise.
     *
     * @throws IllegalArgumentException naming a code that is not known
     */
    public AccessLogBuilder pattern(String value) {
        return pattern(AccessLogFormat.PATTERN, value);
    }

    /**
     * What a line says, in another format.
     *
     * @throws IllegalArgumentException naming what is not known
     */
    public AccessLogBuilder pattern(AccessLogFormat kind, String value) {
        kind.parse(value, settings());
        format = kind;
        pattern = value;
        return this;
    }

    private PatternSettings settings() {
        return new PatternSettings(locale, ipv6Canonical, relayed);
    }

    /** The language of times that have a pattern of their own, {@code %{EEE}t}; that of the process otherwise. */
    public AccessLogBuilder locale(Locale value) {
        locale = Objects.requireNonNull(value);
        return this;
    }

    /**
     * How lines are encoded; in UTF-8 otherwise.
     *
     * @throws IllegalArgumentException if it does not contain ASCII as it is, as UTF-16 does not
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
     * Whether IPv6 addresses are written as RFC 5952 says, {@code ::1}; otherwise with all of their groups, {@code
     * 0:0:0:0:0:0:0:1}.
     */
    public AccessLogBuilder ipv6Canonical(boolean value) {
        ipv6Canonical = value;
        return this;
    }

    /**
     * Logs only requests that have one attribute of the Servlet API when they end, and do not have another one. Requests that
     * no web application saw have none.
     *
     * @param present null for any
     * @param absent null for none
     */
    public AccessLogBuilder attributes(@Nullable String present, @Nullable String absent) {
        condition = AccessCondition.of(present, absent);
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
     * The part between prefix and suffix, a pattern of {@link java.text.SimpleDateFormat} in English: when it yields another
     * text, another file begins. The default {@code .yyyy-MM-dd} makes one file a day; with an empty pattern the log is never rotated.
     */
    public AccessLogBuilder fileDateFormat(String value) {
        fileDateFormat = Objects.requireNonNull(value);
        return this;
    }

    /** Whether the current file has no date in its name, and gets one when the next file begins; false by default. */
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
     * Whether a file that another program, logrotate for example, has renamed or deleted is created again within a second; false
     * by default.
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
     * behind this log has found that out, or a RemoteIpFilter of the application; false otherwise, as in Tomcat ({@code
     * requestAttributesEnabled}). A relay before the log needs no such leave: nothing else is seen then.
     */
    public AccessLogBuilder relayed(boolean value) {
        relayed = value;
        return this;
    }

    /** How old a line may become before it is written; one second otherwise. Zero: each is written at once. */
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
        AccessFormat lines = format.parse(pattern, settings());
        AccessOutput output = output(lines.header().getBytes(charset));
        AccessWriter writer = new AccessWriter(
                lines,
                charset.equals(StandardCharsets.UTF_8) ? output : AccessOutput.encoded(charset, output),
                new EntryQueue(queueSize),
                blockWhenFull,
                flushInterval);
        return new AccessLog(writer, lines, condition, relayed);
    }

    private AccessOutput output(byte[] header) throws IOException {
        if (directory != null) {
            LogFiles files =
                    LogFiles.of(directory, prefix, suffix, fileDateFormat, renameOnRotate, maxDays, checkExists);
            return new RotatingFile(files, header);
        }
        AccessOutput standard = AccessOutput.standard();
        standard.write(header, header.length, System.currentTimeMillis());
        return standard;
    }
}
