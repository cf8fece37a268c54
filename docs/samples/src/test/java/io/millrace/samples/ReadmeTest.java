package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What README.md shows … */
class ReadmeTest {

    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([\\w-]+)</artifactId>");
    private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");

    private final String readme = Guide.read(Guide.PROJECT.resolve("README.md"));

    @Test
    void isAProgramThatIsCompiled() {
        String source = Guide.read(Guide.PROJECT.resolve("docs/samples/src/main/java/io/millrace/samples/Hello.java"));
        assertEquals(List.of(source.replaceFirst("package .*;\n\n", "")), Guide.blocks(readme, "java"));
    }

    @Test
    void areCoordinatesOfArtifactsThatAreBuilt() {
        String bom = Guide.read(Guide.PROJECT.resolve("bom/pom.xml"));
        Set<String> unknown = new TreeSet<>();
        for (String block : Guide.blocks(readme, "xml")) {
            ARTIFACT.matcher(block)
                    .results()
                    .filter(found -> !bom.contains(found.group()))
                    .forEach(found -> unknown.add(found.group(1)));
            VERSION.matcher(block)
                    .results()
                    .filter(found -> !bom.contains(found.group()))
                    .forEach(found -> unknown.add(found.group(1)));
        }
        assertFalse(Guide.blocks(readme, "xml").isEmpty());
        assertEquals(Set.of(), unknown);
    }
}
