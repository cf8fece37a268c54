package io.millrace.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.servlet.settings.ServletOptions;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** The properties of the server … */
final class SettingsTest {

    /** The type of each, as editors are told, by its name. */
    private static Map<String, String> types() throws IOException {
        Map<String, String> types = new TreeMap<>();
        for (JsonNode property : new ObjectMapper()
                .readTree(SettingsTest.class.getResource("/META-INF/spring-configuration-metadata.json"))
                .get("properties")) {
            types.put(property.get("name").asText(), property.get("type").asText());
        }
        return types;
    }

    private static Settings read(String name, String value) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", Map.of(name, value)));
        MillraceSettings all = MillraceSettings.read(environment);
        return all.connector(Settings.DEFAULTS);
    }

    private static boolean isRefused(String name, String value) {
        try {
            read(name, value);
            return false;
        } catch (IllegalArgumentException wrong) {
            return String.valueOf(wrong.getMessage()).contains(" is \"" + value + "\"; expected ");
        }
    }

    @Test
    void haveUnitsOfTimeIfTheyAreTimesAndOfMemoryIfTheyAreSizes() throws IOException {
        int times = 0;
        int sizes = 0;
        for (Map.Entry<String, String> property : types().entrySet()) {
            String name = property.getKey();
            if (property.getValue().equals("java.time.Duration")) {
                times++;
                assertTrue(!isRefused(name, "2m") && isRefused(name, "2MB"), name);
            } else if (property.getValue().endsWith("DataSize")
                    && !name.endsWith("." + MillraceSettings.OUTPUT_LIMIT)) {
                sizes++;
                assertTrue(!isRefused(name, "2MB") && isRefused(name, "2m"), name);
            }
        }
        assertTrue(times > 5 && sizes > 2, times + " times, " + sizes + " sizes");
    }

    @Test
    void sayWhichUnitsThereAre() {
        assertEquals(
                2L * 1024 * 1024, read("server.millrace.max-post-size", "2MB").get(ServletOptions.MAX_POST_SIZE));
        String message = String.valueOf(
                assertThrows(IllegalArgumentException.class, () -> read("server.millrace.max-post-size", "2m"))
                        .getMessage());
        assertTrue(message.endsWith(", or a size such as 2MB"), message);
        message = String.valueOf(
                assertThrows(IllegalArgumentException.class, () -> read("server.millrace.connection-timeout", "soon"))
                        .getMessage());
        assertTrue(message.endsWith(", or a time such as 20s"), message);
    }
}
