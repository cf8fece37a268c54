package io.millrace.rewrite;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** The built-in maps: {@code int:} functions, {@code txt:} and {@code rnd:} files. */
final class BuiltInMaps {

    private BuiltInMaps() {}

    static boolean isOne(String source) {
        return source.startsWith("int:") || source.startsWith("txt:") || source.startsWith("rnd:");
    }

    /**
     * Creates a map; its file is read immediately, once.
     *
     * @param directory of the files
     * @throws IllegalArgumentException if there is no such map, or its file cannot be read
     */
    static RewriteMap of(String source, Path directory) {
        String argument = source.substring(4);
        if (source.startsWith("int:")) {
            return function(argument);
        }
        Map<String, String> values = read(directory.resolve(argument));
        if (source.startsWith("txt:")) {
            return values::get;
        }
        return key -> {
            String alternatives = values.get(key);
            if (alternatives == null) {
                return null;
            }
            List<String> each = List.of(alternatives.split("\\|", -1));
            return each.get(ThreadLocalRandom.current().nextInt(each.size()));
        };
    }

    private static RewriteMap function(String name) {
        return switch (name) {
            case "toupper" -> key -> key.toUpperCase(Locale.ROOT);
            case "tolower" -> key -> key.toLowerCase(Locale.ROOT);
            case "escape" -> key -> UrlText.escape(key, UrlText.PATH);
            case "unescape" -> BuiltInMaps::unescape;
            default ->
                throw new IllegalArgumentException(
                        "RewriteMap int:" + name + ": expected int:toupper, int:tolower, int:escape or int:unescape");
        };
    }

    private static String unescape(String key) {
        try {
            return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return key;
        }
    }

    /** Reads lines of a key and a value; the first line of a key takes precedence, as in httpd. */
    private static Map<String, String> read(Path file) {
        Map<String, String> values = new HashMap<>();
        try {
            for (String line : Files.readAllLines(file)) {
                String[] words = line.strip().split("\\s+", 3);
                if (words.length >= 2 && !words[0].startsWith("#")) {
                    values.putIfAbsent(words[0], words[1]);
                }
            }
            return values;
        } catch (IOException e) {
            throw new IllegalArgumentException("RewriteMap: cannot read " + file + " (" + e + ")", e);
        }
    }
}
