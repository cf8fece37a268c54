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
 * Checks the dependencies between packages, and between the files of each package, in the sources, before anything is compiled:
 * {@code java checks/PackageRules.java}, or with three arguments, the rules of packages, the exceptions of files, and the
 * directory to check. A package depends on what its files import, or name with a qualified name outside comments and strings;
 * a file depends on the others of its package that it names. Exits with status 1 after listing the violations.
 */
final class PackageRules {

    private static final String BASE = "io.millrace";

    /** A rule of checks/packages.txt: what packages may use, and the reason. */
    private record Rule(String packages, List<String> uses, String why) {}

    /** Of types outside io.millrace (only) or of single types (without): who may use them, or may not, and the reason. */
    private record TypeRule(List<String> types, List<String> packages, boolean allowed, String why) {}

    /** A file, by the type that it is named after: what is declared in it, its code, and the number of its lines. */
    private record Source(String name, String code, Matcher type, int lines) {

        boolean isPublic() {
            return type.group(1).contains("public ");
        }

        boolean isInterface() {
            return type.group(2).equals("interface");
        }

        /** Whether the type extends or implements one of this name. */
        boolean isA(String supertype) {
            return type.group(4).matches("(?s).*\\b(extends|implements)\\b.*\\b" + supertype + "\\b.*");
        }
    }

    /** A use of another package's type. */
    private record Use(String from, Path file, int line, String to, String type) {}

    /** Literals and comments. */
    private static final Pattern NO_CODE = Pattern.compile(
            "\"\"\"[\\s\\S]*?\"\"\"|/\\*[\\s\\S]*?\\*/|//[^\\n]*|\"(?:[^\"\\\\\\n]++|\\\\.)*+\"|'(?:[^'\\\\\\n]|\\\\.)++'");

    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern TYPE = Pattern.compile("(?<![\\w.])((?:[a-z_]\\w*\\.)+)([A-Z]\\w*)");

    /** A type at the top of a file: modifiers, kind, name, and the rest of its head. */
    private static final Pattern TOP_LEVEL = Pattern.compile(
            "^((?:public |final |abstract |sealed |non-sealed )*)(class|interface|enum|record|@interface) (\\w+)([^{]*)",
            Pattern.MULTILINE);

    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|interface|enum|record) ([A-Z]\\w*)");
    private static final Pattern SIMPLE_NAME = Pattern.compile("(?<![\\w.])[A-Z]\\w*");

    /** A type with one user is not nested in it if both would be longer together. */
    private static final int MAX_LINES = 500;

    private final Path root;
    private final List<Rule> rules = new ArrayList<>();
    private final List<TypeRule> typeRules = new ArrayList<>();
    /** Cycles that are tolerated. */
    private final List<Set<String>> knots = new ArrayList<>();

    /** Rows of checks/files.txt: "circle" and a package, or "single" and the user, with the names that are tolerated. */
    private final Map<String, List<Set<String>>> exceptions = new TreeMap<>();

    private final Map<Path, String> sources = new TreeMap<>();
    private final Map<String, Path> packages = new TreeMap<>();
    private final Map<String, Map<String, Use>> uses = new TreeMap<>();
    private final List<String> broken = new ArrayList<>();

    private PackageRules(Path root) {
        this.root = root;
    }

    public static void main(String[] arguments) throws IOException {
        boolean given = arguments.length == 3;
        PackageRules check = new PackageRules(Path.of(given ? arguments[2] : "."));
        check.readRules(Files.readAllLines(Path.of(given ? arguments[0] : "checks/packages.txt")));
        check.readExceptions(Files.readAllLines(Path.of(given ? arguments[1] : "checks/files.txt")));
        check.read();
        check.checkRules();
        check.checkCycles();
        check.checkFiles();
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

    private void readExceptions(List<String> lines) {
        for (String line : lines) {
            int colon = line.indexOf(':');
            if (colon > 0 && !line.startsWith("#")) {
                Set<String> names =
                        new TreeSet<>(List.of(line.substring(colon + 1).strip().split(" +")));
                exceptions
                        .computeIfAbsent(line.substring(0, colon), first -> new ArrayList<>())
                        .add(names);
            }
        }
    }

    private void read() throws IOException {
        for (Path main : sourceRoots("main")) {
            try (Stream<Path> files = Files.walk(main)) {
                for (Path file : files.filter(PackageRules::isSource).toList()) {
                    read(file);
                }
            }
        }
        sources.forEach(this::readUses);
    }

    /** The source directories of the product and the testkit, or of their tests, without samples, examples and benchmarks. */
    private List<Path> sourceRoots(String kind) throws IOException {
        Set<String> others = Set.of("docs", "examples", "benchmarks", "target");
        try (Stream<Path> found = Files.find(root, 5, (path, is) -> path.endsWith("src/" + kind + "/java"))) {
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
        String from = packageOf(code);
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
        Map<String, Set<String>> graph = new TreeMap<>();
        uses.forEach((from, to) -> graph.put(from, to.keySet()));
        for (Set<String> knot : circles(graph)) {
            List<Set<String>> known =
                    knots.stream().filter(names -> names.containsAll(knot)).toList();
            left.removeAll(known);
            if (known.isEmpty()) {
                String start = knot.iterator().next();
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

    /** The largest sets of nodes each of which can be reached from each other. */
    private static List<Set<String>> circles(Map<String, Set<String>> graph) {
        List<Set<String>> found = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String start : graph.keySet()) {
            Set<String> circle = new TreeSet<>(reachable(graph, start));
            circle.removeIf(other -> !reachable(graph, other).contains(start));
            if (!circle.isEmpty() && seen.addAll(circle)) {
                found.add(circle);
            }
        }
        return found;
    }

    /** The nodes to which a node leads, directly or indirectly; itself only if it is in a circle. */
    private static Set<String> reachable(Map<String, Set<String>> graph, String start) {
        Set<String> found = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            for (String next : graph.getOrDefault(open.remove(), Set.of())) {
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

    // The files of each package

    private void checkFiles() throws IOException {
        Map<Path, Map<String, Source>> directories = new TreeMap<>();
        sources.forEach((file, code) -> {
            Source source = source(file, code);
            if (source != null) {
                directories
                        .computeIfAbsent(file.getParent(), first -> new TreeMap<>())
                        .put(source.name(), source);
            }
        });
        Set<String> tests = tests();
        for (Map<String, Source> files : directories.values()) {
            String name = packageOf(files.values().iterator().next().code());
            if (isOurs(name)) {
                checkFiles(name.equals(BASE) ? "." : name.substring(BASE.length() + 1), files, tests);
            }
        }
        exceptions.forEach((kind, rows) -> rows.forEach(names -> broken.add(
                "checks/files.txt: \"" + kind + ": " + String.join(" ", names) + "\" no longer holds; remove it")));
    }

    private static Source source(Path file, String code) {
        String name = file.getFileName().toString().replace(".java", "");
        Matcher type = TOP_LEVEL.matcher(code);
        while (type.find()) {
            if (type.group(3).equals(name)) {
                return new Source(name, code, type, (int) code.lines().count());
            }
        }
        return null;
    }

    private static String packageOf(String code) {
        Matcher declared = PACKAGE.matcher(code);
        return declared.find() ? declared.group(1) : "";
    }

    /** The names of all test classes, with their packages. */
    private Set<String> tests() throws IOException {
        Set<String> names = new HashSet<>();
        for (Path directory : sourceRoots("test")) {
            try (Stream<Path> files = Files.walk(directory)) {
                files.map(file -> directory.relativize(file).toString().replace('/', '.'))
                        .forEach(names::add);
            }
        }
        return names;
    }

    private void checkFiles(String name, Map<String, Source> files, Set<String> tests) {
        Map<String, Set<String>> users = new TreeMap<>();
        Map<String, Set<String>> graph = new TreeMap<>();
        for (Source user : files.values()) {
            Set<String> named = names(user, full(name), files.keySet());
            named.forEach(type ->
                    users.computeIfAbsent(type, first -> new TreeSet<>()).add(user.name()));
            // An interface whose static factories name its implementations does not depend on how they work, nor a class on its builder.
            named.removeIf(type -> user.isInterface() && files.get(type).isA(user.name())
                    || type.equals(user.name() + "Builder"));
            graph.put(user.name(), named);
        }
        circles(graph).forEach(circle -> checkCircle(name, circle, graph));
        Map<String, Set<String>> single = new TreeMap<>();
        users.forEach((type, all) -> {
            Source user = files.get(all.iterator().next());
            if (all.size() == 1 && couldBeNested(files.get(type), user, full(name), tests)) {
                single.computeIfAbsent(user.name(), first -> new TreeSet<>()).add(type);
            }
        });
        single.forEach((user, types) -> {
            String place = name.equals(".") ? user : name + "." + user;
            if (!isTolerated("single " + place, types)) {
                broken.add("Only " + place + " uses " + String.join(" ", types)
                        + "; nest what is not listed in checks/files.txt, or test it in a class of its own");
            }
        });
    }

    /** The other files of its package that a file names: all but names that it declares or imports itself. */
    private static Set<String> names(Source source, String ownPackage, Set<String> files) {
        Set<String> found = new TreeSet<>();
        SIMPLE_NAME.matcher(source.code()).results().forEach(name -> found.add(name.group()));
        DECLARED.matcher(source.code()).results().forEach(name -> found.remove(name.group(1)));
        TYPE.matcher(source.code()).results().forEach(type -> {
            if (type.group(1).equals(ownPackage + ".")) {
                found.add(type.group(2));
            } else {
                found.remove(type.group(2));
            }
        });
        found.retainAll(files);
        found.remove(source.name());
        return found;
    }

    private void checkCircle(String name, Set<String> circle, Map<String, Set<String>> graph) {
        if (!isTolerated("circle " + name, circle)) {
            broken.add("These files of " + full(name) + " name each other, so that none can be understood alone: "
                    + String.join(" ", circle)
                    + circle.stream()
                            .map(file -> "\n    " + file + " names "
                                    + graph.get(file).stream()
                                            .filter(circle::contains)
                                            .collect(Collectors.joining(", ")))
                            .collect(Collectors.joining()));
        }
    }

    /** Whether a type could as well be nested in its only user; in an interface it would become public. */
    private static boolean couldBeNested(Source type, Source user, String ownPackage, Set<String> tests) {
        return !type.isPublic()
                && !user.isInterface()
                && type.lines() + user.lines() <= MAX_LINES
                && !tests.contains(ownPackage + "." + type.name() + "Test.java");
    }

    /** Whether a row of checks/files.txt has all of these names; a row that has others, too, is no longer true. */
    private boolean isTolerated(String kind, Set<String> names) {
        List<Set<String>> rows = exceptions.getOrDefault(kind, List.of());
        for (Set<String> row : rows) {
            if (row.containsAll(names)) {
                rows.remove(row);
                if (!row.equals(names)) {
                    broken.add("checks/files.txt: \"" + kind + ": " + String.join(" ", row)
                            + "\" has shrunk; leave only " + String.join(" ", names));
                }
                return true;
            }
        }
        return false;
    }
}
