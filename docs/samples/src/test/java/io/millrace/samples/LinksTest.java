package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The links between the documents of the whole tree, and the documents that sources and scripts name. */
class LinksTest {

    private static final Pattern CODE =
            Pattern.compile("^ *```.*?^ *```$|`[^`\n]+`", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern MARKDOWN = Pattern.compile("]\\(([^)#:\\s]*)(?:#([^)\\s]*))?\\)");
    private static final Pattern HTML = Pattern.compile("(?:src|srcset|href)=\"([^\"#:]*)(?:#([^\"]*))?\"");
    private static final Pattern NAMED = Pattern.compile("\\bdocs/[\\w/-]+\\.md(?:#([\\w-]+))?");
    /** Directories of generated files; {@code results} is that of benchmarks. */
    private static final Set<String> NOT_OURS = Set.of("target", "results", ".git", ".mvn");

    private final Map<Path, Set<String>> anchors = new HashMap<>();

    @Test
    void leadsSomewhereInEachDocument() throws IOException {
        Set<String> broken = new TreeSet<>();
        List<Path> pages = files(".md");
        for (Path page : pages) {
            String text = CODE.matcher(Guide.read(page)).replaceAll("");
            for (Pattern pattern : List.of(MARKDOWN, HTML)) {
                for (MatchResult link : pattern.matcher(text).results().toList()) {
                    String file = link.group(1);
                    Path target =
                            file.isEmpty() ? page : page.resolveSibling(file).normalize();
                    if (!leadsTo(target, link.group(2))) {
                        broken.add(Guide.PROJECT.relativize(page) + ": " + link.group());
                    }
                }
            }
        }
        assertTrue(pages.size() > 40, () -> pages.size() + " documents");
        assertEquals(Set.of(), broken);
    }

    @Test
    void existsIfASourceOrAScriptNamesIt() throws IOException {
        Set<String> broken = new TreeSet<>();
        List<Path> sources = files(".java");
        for (String script : List.of("millrace", "verify", "benchmarks/run", "checks/wars", "checks/h2spec")) {
            sources.add(Guide.PROJECT.resolve(script));
        }
        for (Path source : sources) {
            NAMED.matcher(Guide.read(source)).results().forEach(named -> {
                Path target = Guide.PROJECT.resolve(named.group().replaceFirst("#.*", ""));
                if (!leadsTo(target, named.group(1))) {
                    broken.add(Guide.PROJECT.relativize(source) + ": " + named.group());
                }
            });
        }
        assertEquals(Set.of(), broken);
    }

    /** Whether a file exists and, if it is a page, has the anchor. */
    private boolean leadsTo(Path target, String anchor) {
        return Files.exists(target)
                && (anchor == null
                        || !target.toString().endsWith(".md")
                        || anchors.computeIfAbsent(target, Guide::anchors).contains(anchor));
    }

    private static List<Path> files(String suffix) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(Guide.PROJECT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                boolean isOurs = !NOT_OURS.contains(directory.getFileName().toString());
                return isOurs ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(suffix)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }
}
