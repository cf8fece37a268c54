package io.millrace.compression;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Describes a {@link Compression}. */
public final class CompressionBuilder {

    /** Tomcat's compressibleMimeType. */
    private static final List<String> TYPES = List.of(
            "text/html",
            "text/xml",
            "text/plain",
            "text/css",
            "text/javascript",
            "application/javascript",
            "application/json",
            "application/xml");

    Set<String> codings = Set.of();
    List<String> types = TYPES;
    long minSize = 2048;
    boolean always;
    boolean strongTags = true;

    @Nullable
    Pattern userAgents;

    CompressionBuilder() {}

    /** The codings to offer, of {@code zstd}, {@code br}, {@code gzip} and {@code deflate}; otherwise all that are there. */
    public CompressionBuilder codings(String... names) {
        codings = Set.of(names);
        return this;
    }

    /**
     * The content types worth compressing, or their beginnings: {@code text/} for all text. Otherwise HTML, XML, plain
     * text, CSS, JavaScript and JSON.
     */
    public CompressionBuilder types(String... beginnings) {
        types = Stream.of(beginnings).map(type -> type.toLowerCase(Locale.ROOT)).toList();
        return this;
    }

    /** Bytes; shorter bodies are left as they are, if their length is known. 2,048 otherwise. */
    public CompressionBuilder minSize(long bytes) {
        minSize = bytes;
        return this;
    }

    /** Whether everything is compressed, whatever its type and size; false otherwise. */
    public CompressionBuilder always(boolean value) {
        always = value;
        return this;
    }

    /** Whether responses with a strong entity tag are compressed, which makes it a weak one; true otherwise. */
    public CompressionBuilder strongTags(boolean value) {
        strongTags = value;
        return this;
    }

    /** Clients whose User-Agent field matches as a whole get nothing compressed; otherwise there are none such. */
    public CompressionBuilder exceptUserAgents(Pattern pattern) {
        userAgents = pattern;
        return this;
    }

    /** The compression described. */
    public Compression build() {
        return new Compression(this);
    }
}
