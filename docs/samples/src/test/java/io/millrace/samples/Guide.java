package io.millrace.samples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The pages of the user guide, and the sources of their code. */
final class Guide {

    /** The root of the project, relative to this module's directory, in which Maven runs tests. */
    static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();

    /** The directories of the modules that ship. */
    static final List<String> MODULES =
            List.of("core", "connectors", "servlet", "websocket", "jsp", "integrations", "standalone");

    private static final Pattern CODE = Pattern.compile("^```.*?^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);
    private static final Pattern ID = Pattern.compile("<a id=\"([^\"]+)\"");

    private Guide() {}

    /** The text of each page, by file name. */
    static Map<String, String> pages() {
        Map<String, String> pages = new TreeMap<>();
        for (Path page : files(PROJECT.resolve("docs/guide"), ".md")) {
            pages.put(page.getFileName().toString(), read(page));
        }
        return pages;
    }

    /** The blocks of a page in this language. */
    static List<String> blocks(String page, String language) {
        List<String> blocks = new ArrayList<>();
        StringBuilder block = new StringBuilder();
        boolean inside = false;
        for (String line : page.lines().toList()) {
            if (!inside) {
                inside = line.equals("```" + language);
            } else if (line.equals("```")) {
                blocks.add(block.toString());
                block.setLength(0);
                inside = false;
            } else {
                block.append(line).append('\n');
            }
        }
        return blocks;
    }

    /** What links to a page may have behind {@code #}: its headings as GitHub writes them, and the ids of {@code <a>}. */
    static Set<String> anchors(Path page) {
        Set<String> anchors = new TreeSet<>();
        String text = CODE.matcher(read(page)).replaceAll("");
        HEADING.matcher(text)
                .results()
                .forEach(found -> anchors.add(found.group(1)
                        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                        .replace(' ', '-')));
        ID.matcher(text).results().forEach(found -> anchors.add(found.group(1)));
        return anchors;
    }

    /** The import lines with which a block of Java begins. */
    static List<String> imports(String block) {
        return block.lines()
                .takeWhile(Guide::isImport)
                .filter(line -> !line.isEmpty())
                .toList();
    }

    /** The sample that a block of Java shows: all of it, or what follows its imports. */
    static String sample(String block) {
        return samples().contains(block)
                ? block
                : block.lines()
                        .dropWhile(Guide::isImport)
                        .map(line -> line + "\n")
                        .collect(Collectors.joining());
    }

    private static boolean isImport(String line) {
        return line.isEmpty() || line.startsWith("import ");
    }

    /** The lines between the tags of the samples, without their indentation. */
    static List<String> samples() {
        return sources().stream().flatMap(source -> tagged(source).stream()).toList();
    }

    /** The sources of the samples. */
    static List<String> sources() {
        return Stream.concat(files(PROJECT.resolve("docs/samples/src/main"), ".java").stream(), examples().stream())
                .map(Guide::read)
                .toList();
    }

    /** The programs among the examples, which are projects of their own. */
    static List<Path> examples() {
        return files(PROJECT.resolve("examples"), ".java").stream()
                .filter(file -> file.toString().contains("/src/main/java/com/example/")
                        && !file.toString().contains("/junit/"))
                .toList();
    }

    static List<Path> files(Path directory, String suffix) {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The regions between the tags of one source. */
    static List<String> tagged(String source) {
        List<String> regions = new ArrayList<>();
        List<String> region = new ArrayList<>();
        boolean inside = false;
        for (String line : source.lines().toList()) {
            if (line.trim().startsWith("// tag::")) {
                inside = true;
            } else if (line.trim().startsWith("// end::")) {
                regions.add(region.stream().collect(Collectors.joining("\n")).stripIndent() + "\n");
                region.clear();
                inside = false;
            } else if (inside) {
                region.add(line);
            }
        }
        return regions;
    }
}
