package io.millrace.standalone;

import io.millrace.ConnectorBuilder;
import io.millrace.compression.Compression;
import io.millrace.compression.CompressionBuilder;
import io.millrace.compression.RequestDecompression;
import io.millrace.standalone.config.Values;
import java.util.regex.Pattern;

/** Reads a connector's compression attributes, for both ways. */
final class CompressionFactory {

    private CompressionFactory() {}

    /** {@code off}, {@code on}, {@code force}, which is for every client, or the least size, which means {@code on}. */
    static void compress(Values values, ConnectorBuilder builder) {
        String mode = values.text("compression", "off");
        if (mode.equals("off")) {
            return;
        }
        boolean isSize = Character.isDigit(mode.charAt(0));
        CompressionBuilder compression = Compression.builder()
                .always(mode.equals("force"))
                .minSize(isSize ? Long.parseLong(mode) : values.number("compressionMinSize"))
                .types(values.text("compressibleMimeType", "").split("\\s*,\\s*"))
                .strongTags(!values.flag("noCompressionStrongETag"));
        String userAgents = values.text("noCompressionUserAgents");
        if (userAgents != null && !mode.equals("force")) {
            compression.exceptUserAgents(Pattern.compile(userAgents));
        }
        builder.compression(compression.build());
    }

    /** Off unless a limit is named. */
    static void decompress(Values values, ConnectorBuilder builder) {
        if (values.isSet("decompressionMaxSize")) {
            builder.decompression(RequestDecompression.upTo(values.number("decompressionMaxSize", 0)));
        }
    }
}
