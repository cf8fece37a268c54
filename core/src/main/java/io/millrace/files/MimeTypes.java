package io.millrace.files;

import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Content types by the extension of a file's name. */
final class MimeTypes {

    private static final String UNKNOWN = "application/octet-stream";

    private static final String[] WELL_KNOWN = {
        "avif", "image/avif",
        "bmp", "image/bmp",
        "css", "text/css",
        "csv", "text/csv",
        "gif", "image/gif",
        "gz", "application/gzip",
        "htm", "text/html",
        "html", "text/html",
        "ico", "image/x-icon",
        "jar", "application/java-archive",
        "jpeg", "image/jpeg",
        "jpg", "image/jpeg",
        "js", "text/javascript",
        "json", "application/json",
        "map", "application/json",
        "md", "text/markdown",
        "mjs", "text/javascript",
        "mp3", "audio/mpeg",
        "mp4", "video/mp4",
        "ogg", "audio/ogg",
        "otf", "font/otf",
        "pdf", "application/pdf",
        "png", "image/png",
        "svg", "image/svg+xml",
        "ttf", "font/ttf",
        "txt", "text/plain",
        "wasm", "application/wasm",
        "wav", "audio/wav",
        "webm", "video/webm",
        "webmanifest", "application/manifest+json",
        "webp", "image/webp",
        "woff", "font/woff",
        "woff2", "font/woff2",
        "xhtml", "application/xhtml+xml",
        "xml", "application/xml",
        "zip", "application/zip",
    };

    private final Map<String, String> byExtension = new HashMap<>();

    /**
     * The well-known types, and these by extension in lower case.
     *
     * @param charset the charset parameter of well-known text types; null for none
     */
    MimeTypes(Map<String, String> more, @Nullable Charset charset) {
        for (int i = 0; i < WELL_KNOWN.length; i += 2) {
            String type = WELL_KNOWN[i + 1];
            byExtension.put(
                    WELL_KNOWN[i],
                    charset != null && type.startsWith("text/")
                            ? type + ";charset=" + charset.name().toLowerCase(Locale.ROOT)
                            : type);
        }
        byExtension.putAll(more);
    }

    String of(String name) {
        String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return byExtension.getOrDefault(extension, UNKNOWN);
    }
}
