package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The file of Tomcat's attributes that have no effect … */
final class TomcatAttributesTest {

    @Test
    void hasNoSectionThatNoKindOfElementTakes() throws IOException {
        List<String> unused = new ArrayList<>();
        for (String line : lines()) {
            if (line.startsWith("[")) {
                String section = line.substring(1, line.length() - 1);
                if (Vocabulary.all().stream().noneMatch(kind -> takes(kind, section))) {
                    unused.add(section);
                }
            }
        }
        assertEquals(List.of(), unused);
    }

    private static boolean takes(Element.Kind kind, String section) {
        return TomcatAttributes.of(section).stream()
                .allMatch(attribute -> attribute.equals(kind.attribute(attribute.name())));
    }

    private static List<String> lines() throws IOException {
        try (InputStream file = TomcatAttributes.class.getResourceAsStream("tomcat-attributes.txt")) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }
}
