package io.millrace.connector.http2;

import io.millrace.http.EncodedSlash;
import io.millrace.protocol.mux.MuxOptions;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes {@link Http2Options}, which says what each means. */
public final class Http2OptionsBuilder {

    private MuxOptions streams = MuxOptions.DEFAULTS;
    private int maxHeaderSize = 8192;
    private int maxHeaderCount = 100;
    private int maxTrailerSize = 8192;
    private int maxTrailerCount = 100;
    private @Nullable Set<String> allowedTrailerHeaders;
    private EncodedSlash encodedSolidusHandling = EncodedSlash.REJECT;
    private String relaxedPathChars = "";
    private String relaxedQueryChars = "";
    private Charset pathCharset = StandardCharsets.UTF_8;
    private boolean allowHostHeaderMismatch;
    private boolean allowSchemeMismatch;
    private @Nullable String server;

    Http2OptionsBuilder() {}

    /** {@link MuxOptions#DEFAULTS} otherwise. */
    public Http2OptionsBuilder streams(MuxOptions value) {
        streams = Objects.requireNonNull(value);
        return this;
    }

    /** 8192 otherwise. */
    public Http2OptionsBuilder maxHeaderSize(int value) {
        maxHeaderSize = positive("maxHeaderSize", value);
        return this;
    }

    /** 100 otherwise. */
    public Http2OptionsBuilder maxHeaderCount(int value) {
        maxHeaderCount = positive("maxHeaderCount", value);
        return this;
    }

    /** 8192 otherwise. */
    public Http2OptionsBuilder maxTrailerSize(int value) {
        maxTrailerSize = positive("maxTrailerSize", value);
        return this;
    }

    /** 100 otherwise. */
    public Http2OptionsBuilder maxTrailerCount(int value) {
        maxTrailerCount = positive("maxTrailerCount", value);
        return this;
    }

    /** All otherwise. */
    public Http2OptionsBuilder allowedTrailerHeaders(Collection<String> names) {
        allowedTrailerHeaders =
                names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
        return this;
    }

    /** Rejected otherwise. */
    public Http2OptionsBuilder encodedSolidusHandling(EncodedSlash value) {
        encodedSolidusHandling = Objects.requireNonNull(value);
        return this;
    }

    /** None otherwise. */
    public Http2OptionsBuilder relaxedPathChars(String value) {
        relaxedPathChars = value;
        return this;
    }

    /** None otherwise. */
    public Http2OptionsBuilder relaxedQueryChars(String value) {
        relaxedQueryChars = value;
        return this;
    }

    /** UTF-8 otherwise. */
    public Http2OptionsBuilder pathCharset(Charset value) {
        pathCharset = Objects.requireNonNull(value);
        return this;
    }

    /** False otherwise. */
    public Http2OptionsBuilder allowHostHeaderMismatch(boolean value) {
        allowHostHeaderMismatch = value;
        return this;
    }

    /** False otherwise. */
    public Http2OptionsBuilder allowSchemeMismatch(boolean value) {
        allowSchemeMismatch = value;
        return this;
    }

    /** None otherwise. */
    public Http2OptionsBuilder server(@Nullable String value) {
        server = value;
        return this;
    }

    /** The options. */
    public Http2Options build() {
        return new Http2Options(
                streams,
                maxHeaderSize,
                maxHeaderCount,
                maxTrailerSize,
                maxTrailerCount,
                allowedTrailerHeaders,
                encodedSolidusHandling,
                relaxedPathChars,
                relaxedQueryChars,
                pathCharset,
                allowHostHeaderMismatch,
                allowSchemeMismatch,
                server);
    }

    private static int positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " is " + value + "; expected at least 1");
        }
        return value;
    }
}
