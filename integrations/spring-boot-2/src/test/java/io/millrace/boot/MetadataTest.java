package io.millrace.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The metadata of properties, which editors read … */
final class MetadataTest {

    private static final Pattern NAME = Pattern.compile("\"name\": \"server\\.millrace\\.([^\"]+)\"");

    @Test
    void hasEveryPropertyAndNoOther() throws IOException {
        try (InputStream in = Objects.requireNonNull(
                MetadataTest.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
            Set<String> listed = NAME.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .results()
                    .map(found -> found.group(1))
                    .collect(Collectors.toCollection(TreeSet::new));
            Set<String> known = new TreeSet<>(MillraceSettings.known().values());
            known.add("max-http-form-post-size"); // another name of max-post-size, which users of Spring Boot know
            assertEquals(known, listed);
        }
    }
}
