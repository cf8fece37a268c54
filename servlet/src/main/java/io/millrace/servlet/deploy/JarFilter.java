package io.millrace.servlet.deploy;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which libraries of an application are scanned, by file name. ServletContainerInitializers are found in all libraries.
 *
 * @param pluggability the libraries whose web fragments, annotations, types for {@code HandlesTypes} and static resources are
 *     used
 * @param taglibs the libraries whose tag library descriptors are used
 */
public record JarFilter(Predicate<String> pluggability, Predicate<String> taglibs) {

    /** All libraries are scanned. */
    public static final JarFilter ALL = new JarFilter(name -> true, name -> true);

    /**
     * A filter with the rules of Tomcat's StandardJarScanFilter. Patterns are file names with the wildcards {@code *} and {@code
     * ?}, separated by commas, without regard to case.
     *
     * @param byDefault whether a jar that matches neither list is scanned
     * @param scan if {@code byDefault}: the exceptions from {@code skip}; otherwise the jars to scan
     * @param skip if {@code byDefault}: the jars to skip; otherwise the exceptions from {@code scan}
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
