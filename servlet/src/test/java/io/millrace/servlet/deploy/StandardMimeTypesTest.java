package io.millrace.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StandardMimeTypesTest {

    @ParameterizedTest
    @CsvSource({
        "html, text/html",
        "css, text/css",
        "js, text/javascript",
        "json, application/json",
        "svg, image/svg+xml",
        "woff2, font/woff2",
        "wasm, application/wasm",
        "txt, text/plain",
        "gpx, application/gpx+xml",
        "mobi, application/x-mobipocket-ebook",
        "odt, application/vnd.oasis.opendocument.text",
        "xlsx, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "pdf, application/pdf"
    })
    void knowsWhatBrowsersNeed(String extension, String type) {
        assertEquals(type, StandardMimeTypes.defaults().get(extension));
    }

    @Test
    void hasWellFormedEntries() {
        StandardMimeTypes.defaults().forEach((extension, type) -> {
            assertEquals(extension.toLowerCase(Locale.ROOT), extension);
            assertTrue(type.matches("[a-z-]+/[a-z0-9.+_-]+"), type);
        });
    }

    /** So that a type is found and added where it belongs. */
    @Test
    void isSorted() throws IOException {
        try (InputStream in = Objects.requireNonNull(StandardMimeTypes.class.getResourceAsStream("mime.types"))) {
            List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .toList();
            assertEquals(lines.stream().sorted().toList(), lines);
            assertTrue(StandardMimeTypes.defaults().size() > 1000, "as many as Tomcat's");
        }
    }
}
