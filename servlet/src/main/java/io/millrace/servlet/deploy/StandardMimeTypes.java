package io.millrace.servlet.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The default MIME types of static files by extension; an application's descriptors can override them. */
public final class StandardMimeTypes {

    private static final String TABLE = "mime.types";

    private static final Map<String, String> DEFAULTS = read();

    private StandardMimeTypes() {}

    /** The types by extension, in lower case and without the dot; unmodifiable. */
    public static Map<String, String> defaults() {
        return DEFAULTS;
    }

    /** Reads lines of a type and its extensions, the format of Apache httpd's mime.types. */
    private static Map<String, String> read() {
        Map<String, String> types = new LinkedHashMap<>();
        try (InputStream in = StandardMimeTypes.class.getResourceAsStream(TABLE)) {
            if (in == null) {
                throw new IllegalStateException(TABLE + " is missing from the jar");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.lines().toList()) {
                String[] words = line.strip().split("\\s+", -1);
                for (int i = 1; i < words.length && !line.startsWith("#"); i++) {
                    types.put(words[i], words[0]);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Map.copyOf(types);
    }
}
