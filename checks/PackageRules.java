import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks the dependencies between packages in the sources, before anything is compiled: {@code java checks/PackageRules.java},
 * or with two arguments, the file of rules and the directory to check. A package depends on what its files import, or name
 * with a qualified name outside comments and strings. Exits with status 1 after listing the violations.
 */
final class PackageRules {

    private static final String BASE = "io.millrace";

    /** A rule of checks/packages.txt: what packages may use, and the reason. */
    private record Rule(String packages, List<String> uses, String why) {}

    /** Of types outside io.millrace (only) or of single types (without): who may use them, or may not, and the reason. */
    private record TypeRule(List<String> types, List<String> packages, boolean allowed, String why) {}

    /** A use of another package's type. */
    private record Use(String from, Path file, int line, String to, String type) {}

    /** Literals and comments. */
    private static final Pattern NO_CODE = Pattern.compile(
            "\"\"\"[\\s\\S]*?\"\"\"|/\\*[\\s\\S]*?\\*/|//[^\\n]*|\"(?:[^\"\\\\\\n]++|\\\\.)*+\"|'(?:[^'\\\\\\n]|\\\\.)++'");

    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern TYPE = Pattern.compile("(?<![\\w.])((?:[a-z_]\\w*\\.)+)([A-Z]\\w*)");

    private final Path root;
    private final List<Rule> rules = new ArrayList<>();
    private final List<TypeRule> typeRules = new ArrayList<>();
    /** Cycles that are tolerated. */
    private final List<Set<String>> knots = new ArrayList<>();

    private final Map<Path, String> sources = new TreeMap<>();
    private final Map<String, Path> packages = new TreeMap<>();
    private final Map<String, Map<String, Use>> uses = new TreeMap<>();
    private final List<String> broken = new ArrayList<>();

    private PackageRules(Path root) {
        this.root = root;
    }

    public static void main(String[] arguments) throws IOException {
        boolean given = arguments.length == 2;
        PackageRules check = new PackageRules(Path.of(given ? arguments[1] : "."));
        check.readRules(Files.readAllLines(Path.of(given ? arguments[0] : "checks/packages.txt")));
        check.read();
        check.checkRules();
        check.checkCycles();
        check.broken.forEach(System.out::println);
        System.out.println(
                "package rules: " + check.sources.size() + " files in " + check.packages.size() + " packages, "
                        + (check.broken.isEmpty()
                                ? "all kept"
                                : check.broken.size() + " broken; docs/design/io.md#packages"));
        if (!check.broken.isEmpty()) {
            System.exit(1);
        }
    }

    private void readRules(List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            int colon = line.indexOf(':');
            if (colon < 0 || line.startsWith("#")) {
                continue;
            }
            List<String> names = Arrays.stream(line.substring(colon + 1).split(" "))
                    .filter(name -> !name.isEmpty())
                    .toList();
            if (line.startsWith("knot:")) {
                knots.add(names.stream().map(PackageRules::full).collect(Collectors.toSet()));
            } else if (line.startsWith("only ")) {
                i++;
                List<String> types = List.of(line.substring("only ".length(), colon));
                typeRules.add(new TypeRule(types, names, true, lines.get(i).strip()));
            } else if (line.startsWith("without ")) {
                i++;
                List<String> packages = List.of(line.substring("without ".length(), colon));
                List<String> types = names.stream().map(PackageRules::full).toList();
                typeRules.add(new TypeRule(types, packages, false, lines.get(i).strip()));
            } else {
                i++;
                rules.add(
                        new Rule(line.substring(0, colon), names, lines.get(i).strip()));
            }
        }
    }

    private void read() throws IOException {
        for (Path main : sourceRoots()) {
            try (Stream<Path> files = Files.walk(main)) {
                for (Path file : files.filter(PackageRules::isSource).toList()) {
                    read(file);
                }
            }
        }
        sources.forEach(this::readUses);
    }

    /** The source directories of the product and the testkit, without samples, examples and benchmarks. */
    private List<Path> sourceRoots() throws IOException {
        Set<String> others = Set.of("docs", "examples", "benchmarks", "target");
        try (Stream<Path> found = Files.find(root, 5, (path, is) -> path.endsWith("src/main/java"))) {
            return found.filter(path ->
                            !others.contains(root.relativize(path).getName(0).toString()))
                    .sorted()
                    .toList();
        }
    }

    private static boolean isSource(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".java") && !name.equals("module-info.java");
    }

    private void read(Path file) throws IOException {
        String code = NO_CODE.matcher(Files.readString(file)).replaceAll(PackageRules::lineEnds);
        Matcher declared = PACKAGE.matcher(code);
        if (declared.find()) {
            sources.put(file, code);
            packages.put(declared.group(1), file.getParent());
        }
    }

    /** Blanks removed text, so that line numbers stay the same. */
    private static String lineEnds(MatchResult removed) {
        return removed.group().replaceAll("[^\\n]", " ");
    }

    private void readUses(Path file, String code) {
        Matcher declared = PACKAGE.matcher(code);
        String from = declared.find() ? declared.group(1) : "";
        Matcher named = TYPE.matcher(code);
        while (named.find()) {
            String to = named.group(1).substring(0, named.group(1).length() - 1);
            TypeRule rule = isOurs(from) ? brokenTypeRule(from, to, named.group(2)) : null;
            if (rule != null) {
                broken.add(root.relativize(file) + ":" + line(code, named) + " uses " + to + "." + named.group(2) + "\n    "
                        + (rule.allowed() ? "only " + String.join(", ", rule.packages()) + " may" : from + " may not") + ": "
                        + rule.why());
            }
            if (packages.containsKey(to) && !to.equals(from)) {
                Use use = new Use(from, file, line(code, named), to, named.group(2));
                uses.computeIfAbsent(from, first -> new TreeMap<>()).putIfAbsent(to, use);
                checkUse(use);
            }
        }
    }

    private static int line(String code, Matcher at) {
        return 1 + (int) code.substring(0, at.start()).chars().filter(c -> c == '\n').count();
    }

    /** The first rule about types that a use of this one breaks, or null. */
    private TypeRule brokenTypeRule(String from, String to, String type) {
        return typeRules.stream()
                .filter(rule -> rule.types().stream().anyMatch(each -> isType(each, to, type)))
                .filter(rule -> rule.packages().stream().anyMatch(name -> fits(name, from)) != rule.allowed())
                .findFirst()
                .orElse(null);
    }

    /** Whether a pattern names a type: a package with two dots at the end, a package, a type, or the beginning of its name and a star. */
    private static boolean isType(String pattern, String to, String type) {
        if (pattern.endsWith("..")) {
            return (to + ".").startsWith(pattern.substring(0, pattern.length() - 1));
        }
        String name = to + "." + type;
        return pattern.endsWith("*")
                ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                : name.equals(pattern) || to.equals(pattern);
    }

    /** Every package must have a rule. */
    private void checkRules() {
        for (Map.Entry<String, Path> each : packages.entrySet()) {
            if (isOurs(each.getKey()) && rule(each.getKey()) == null) {
                broken.add(root.relativize(each.getValue()) + ": the package " + each.getKey()
                        + " has no rule; add one to checks/packages.txt");
            }
        }
    }

    private void checkUse(Use use) {
        Rule rule = rule(use.from());
        if (rule == null || !isOurs(use.to()) || rule.equals(rule(use.to()))) {
            return;
        }
        if (rule.uses().stream().noneMatch(name -> fits(name, use.to()))) {
            broken.add(describe(use) + "\n    " + use.from() + " may use "
                    + (rule.uses().isEmpty() ? "nothing else" : "only " + String.join(", ", rule.uses())) + ": "
                    + rule.why());
        }
    }

    private static boolean isOurs(String name) {
        return name.equals(BASE) || name.startsWith(BASE + ".");
    }

    private Rule rule(String name) {
        return rules.stream()
                .filter(rule -> fits(rule.packages(), name))
                .max((one, other) -> Integer.compare(
                        one.packages().length(), other.packages().length()))
                .orElse(null);
    }

    private static boolean fits(String packages, String name) {
        boolean below = packages.endsWith("..");
        String full = full(below ? packages.substring(0, packages.length() - 2) : packages);
        return name.equals(full) || (below && name.startsWith(full + "."));
    }

    private static String full(String name) {
        return name.equals(".") ? BASE : BASE + "." + name;
    }

    private void checkCycles() {
        List<Set<String>> left = new ArrayList<>(knots);
        Set<String> seen = new HashSet<>();
        for (String start : uses.keySet()) {
            Set<String> knot = new TreeSet<>(reachable(start));
            knot.removeIf(other -> !reachable(other).contains(start));
            if (knot.isEmpty() || !seen.addAll(knot)) {
                continue;
            }
            List<Set<String>> known =
                    knots.stream().filter(names -> names.containsAll(knot)).toList();
            left.removeAll(known);
            if (known.isEmpty()) {
                broken.add("These packages depend on each other, so that none can be understood alone: "
                        + String.join(", ", knot)
                        + shortestCycle(start, knot).stream()
                                .map(use -> "\n    " + describe(use))
                                .collect(Collectors.joining()));
            }
        }
        left.forEach(names -> System.out.println(
                "package rules: no longer a knot, remove it from checks/packages.txt: " + new TreeSet<>(names)));
    }

    /** The packages that a package uses, directly or indirectly; itself only if it is in a cycle. */
    private Set<String> reachable(String start) {
        Set<String> found = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            for (String next : uses.getOrDefault(open.remove(), Map.of()).keySet()) {
                if (found.add(next)) {
                    open.add(next);
                }
            }
        }
        return found;
    }

    private List<Use> shortestCycle(String start, Set<String> knot) {
        Map<String, Use> cameBy = new HashMap<>();
        Deque<String> open = new ArrayDeque<>(List.of(start));
        while (!cameBy.containsKey(start)) {
            for (Use use : uses.get(open.remove()).values()) {
                if (knot.contains(use.to()) && cameBy.putIfAbsent(use.to(), use) == null) {
                    open.add(use.to());
                }
            }
        }
        Deque<Use> cycle = new ArrayDeque<>();
        String at = start;
        do {
            cycle.addFirst(cameBy.get(at));
            at = cycle.getFirst().from();
        } while (!at.equals(start));
        return List.copyOf(cycle);
    }

    /** The files of both packages. */
    private String describe(Use use) {
        Path target = packages.get(use.to()).resolve(use.type() + ".java");
        return root.relativize(use.file()) + ":" + use.line() + " uses " + root.relativize(target);
    }
}
