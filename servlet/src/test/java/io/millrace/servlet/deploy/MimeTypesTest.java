package io.millrace.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MimeTypesTest {

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
        "pdf, application/pdf"
    })
    void knowsWhatBrowsersNeed(String extension, String type) {
        assertEquals(type, MimeTypes.defaults().get(extension));
    }

    @Test
    void hasWellFormedEntries() {
        MimeTypes.defaults().forEach((extension, type) -> {
            assertEquals(extension.toLowerCase(Locale.ROOT), extension);
            assertTrue(type.matches("[a-z]+/[a-z0-9.+-]+"), type);
        });
    }
}
