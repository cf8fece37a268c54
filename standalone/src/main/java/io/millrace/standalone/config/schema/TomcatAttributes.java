package io.millrace.standalone.config.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of Tomcat's that have no effect here, from {@code tomcat-attributes.txt}: what becomes of each, and the sentence
 * for the operator. The file explains its format.
 */
public final class TomcatAttributes {

    private static final String FILE = "tomcat-attributes.txt";

    private static final Pattern ROW =
            Pattern.compile("(ignored|refused) ([\\w.]+)(?: unless (\"\"|\\S+?))?(?:: (.+))?");

    /** By section, in the order of the file. */
    private static final Map<String, List<Attribute<?>>> SECTIONS = read();

    private TomcatAttributes() {}

    /**
     * The attributes of a section.
     *
     * @throws IllegalArgumentException if there is no such section
     */
    public static List<Attribute<?>> of(String section) {
        List<Attribute<?>> found = SECTIONS.get(section);
        if (found == null) {
            throw new IllegalArgumentException(FILE + " has no section " + section);
        }
        return found;
    }

    private static Map<String, List<Attribute<?>>> read() {
        Map<String, List<Attribute<?>>> sections = new LinkedHashMap<>();
        List<Attribute<?>> section = new ArrayList<>();
        for (String line : text().split("\n", -1)) {
            if (line.startsWith("[")) {
                section = new ArrayList<>();
                sections.put(line.substring(1, line.length() - 1), section);
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                section.addAll(row(line));
            }
        }
        return sections;
    }

    private static List<Attribute<?>> row(String line) {
        if (line.startsWith("silent ")) {
            return Stream.of(line.substring("silent ".length()).split(" ", -1))
                    .<Attribute<?>>map(Attribute::moot)
                    .toList();
        }
        Matcher row = ROW.matcher(line);
        if (!row.matches()) {
            throw new IllegalStateException(FILE + ": " + line);
        }
        String name = Objects.requireNonNull(row.group(2));
        String value = "\"\"".equals(row.group(3)) ? "" : row.group(3);
        @Nullable String sentence = row.group(4);
        return List.of(
                line.startsWith("ignored")
                        ? Attribute.ignored(name, value, sentence)
                        : Attribute.refused(name, value, Objects.requireNonNull(sentence)));
    }

    private static String text() {
        try (InputStream file = TomcatAttributes.class.getResourceAsStream(FILE)) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
