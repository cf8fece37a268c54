package io.millrace.servlet.deploy;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which libraries of an application are looked into, by the names of their files. Initializers are found in all of them.
 *
 * @param pluggability those whose fragments, annotated classes, classes that initializers ask for, and static resources count
 * @param taglibs those whose tag libraries count
 */
public record JarFilter(Predicate<String> pluggability, Predicate<String> taglibs) {

    /** Into all. */
    public static final JarFilter ALL = new JarFilter(name -> true, name -> true);

    /**
     * As Tomcat's StandardJarScanFilter chooses.
     *
     * @param byDefault what becomes of those that neither pattern names
     * @param scan names with {@code *} and {@code ?}, with commas between; among those that are skipped, they are looked into
     * @param skip the same of those that are not; among those that are looked into only if they are named
     */
    public static Predicate<String> names(boolean byDefault, String scan, String skip) {
        Predicate<String> scanned = matching(scan);
        Predicate<String> skipped = matching(skip);
        return byDefault
                ? name -> !skipped.test(name) || scanned.test(name)
                : name -> scanned.test(name) && !skipped.test(name);
    }

    private static Predicate<String> matching(String globs) {
        List<Pattern> patterns = Stream.of(globs.split(",", -1))
                .map(String::strip)
                .filter(glob -> !glob.isEmpty())
                .map(JarFilter::pattern)
                .toList();
        return name -> patterns.stream()
                .anyMatch(pattern ->
                        pattern.matcher(name.toLowerCase(Locale.ROOT)).matches());
    }

    private static Pattern pattern(String glob) {
        return Pattern.compile(glob.toLowerCase(Locale.ROOT)
                .codePoints()
                .mapToObj(c -> switch (c) {
                    case '*' -> ".*";
                    case '?' -> ".";
                    default -> Pattern.quote(Character.toString(c));
                })
                .collect(Collectors.joining()));
    }
}
