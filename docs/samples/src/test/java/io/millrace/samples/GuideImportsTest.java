package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A reader can tell what each sample of a page imports: the page's first one shows all of its imports, a later one those
 * that a reader could not guess, unless an earlier one has shown them.
 */
class GuideImportsTest {

    private static final Pattern IMPORT = Pattern.compile("^import (static )?([\\w.]+)\\.(\\w+);", Pattern.MULTILINE);
    private static final Pattern COMMENT = Pattern.compile("//.*");
    private static final Pattern PUBLIC =
            Pattern.compile("^public .*\\b(?:class|interface|enum|record) ", Pattern.MULTILINE);

    /** By simple name, the public types of Millrace and whatever a sample imports. */
    private final Map<String, Set<String>> types = types();

    @Test
    void showsTheImportsThatAReaderCannotGuess() {
        Set<String> missing = new TreeSet<>();
        Guide.pages().forEach((name, page) -> {
            Set<String> shown = new HashSet<>();
            boolean isFirst = true;
            for (String block : Guide.blocks(page, "java")) {
                shown.addAll(Guide.imports(block));
                for (Import each : needed(block)) {
                    if ((isFirst || !isObvious(each)) && !shown.contains(each.line()) && !shown.contains(each.all())) {
                        missing.add(name + ": " + each.line());
                    }
                }
                isFirst = false;
            }
        });
        assertEquals(Set.of(), missing);
    }

    @Test
    void showsNoImportThatTheSampleDoesNotHave() {
        Set<String> wrong = new TreeSet<>();
        Guide.pages().forEach((name, page) -> {
            for (String block : Guide.blocks(page, "java")) {
                Set<String> needed = new HashSet<>();
                needed(block).forEach(each -> needed.addAll(Set.of(each.line(), each.all())));
                Guide.imports(block).stream()
                        .filter(line -> !needed.contains(line))
                        .forEach(line -> wrong.add(name + ": " + line));
            }
        });
        assertEquals(Set.of(), wrong);
    }

    /** Whether only one type has this name: an editor finds it, and so does a search. Constants could be anybody's. */
    private boolean isObvious(Import each) {
        return !each.isStatic && types.getOrDefault(each.name, Set.of()).size() == 1;
    }

    private static List<Import> needed(String block) {
        String sample = Guide.sample(block);
        return Guide.sources().stream()
                .filter(source -> Guide.tagged(source).contains(sample))
                .findFirst()
                .map(source -> imports(source).stream()
                        .filter(each -> each.isUsedIn(COMMENT.matcher(sample).replaceAll("")))
                        .toList())
                .orElse(List.of());
    }

    private static List<Import> imports(String source) {
        return IMPORT.matcher(source)
                .results()
                .map((MatchResult found) -> new Import(found.group(1) != null, found.group(2), found.group(3)))
                .toList();
    }

    private static Map<String, Set<String>> types() {
        Map<String, Set<String>> types = new HashMap<>();
        for (String module : Guide.MODULES) {
            for (Path file : Guide.files(Guide.PROJECT.resolve(module), ".java")) {
                String path = file.toString().replace('\\', '/');
                if (path.contains("/src/main/java/")
                        && PUBLIC.matcher(Guide.read(file)).find()) {
                    String type = path.replaceFirst(".*/src/main/java/(.*)\\.java", "$1")
                            .replace('/', '.');
                    types.computeIfAbsent(type.replaceFirst(".*\\.", ""), name -> new TreeSet<>())
                            .add(type);
                }
            }
        }
        for (String source : Guide.sources()) {
            for (Import each : imports(source)) {
                types.computeIfAbsent(each.name, name -> new TreeSet<>()).add(each.of + "." + each.name);
            }
        }
        return new TreeMap<>(types);
    }

    /** One import: a class of a package, or a constant of a class. */
    private record Import(boolean isStatic, String of, String name) {

        boolean isUsedIn(String code) {
            return Pattern.compile("\\b" + name + "\\b").matcher(code).find();
        }

        String line() {
            return "import " + (isStatic ? "static " : "") + of + "." + name + ";";
        }

        String all() {
            return "import " + (isStatic ? "static " : "") + of + ".*;";
        }
    }
}
