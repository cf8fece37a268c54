import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
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
 * Checks which package uses which, in the sources, before anything is compiled: {@code java checks/PackageRules.java [root]}.
 * A package uses what its files import or name in full outside comments and strings. Status 1 and a list if a rule is broken.
 */
final class PackageRules {

    private static final String BASE = "io.millrace";

    /**
     * What a package may use of this product. Names are relative to {@link #BASE}, empty for itself; two dots at the end stand
     * for everything below as well. The longest name that fits a package decides; below one name all may use each other.
     */
    private record Floor(String packages, String why, String... uses) {}

    private static final List<Floor> FLOORS = List.of(
            new Floor("io", "connections know nothing of what is said on them"),
            new Floor("http", "the values of HTTP depend on nothing"),
            new Floor("io.socket", "what transports share is below protocols", "io"),
            new Floor("workers", "a thread pool knows nothing of what it runs", "io"),
            new Floor("protocol", "the seam knows neither exchanges nor a particular protocol", "http", "io"),
            new Floor("protocol.serial", "what protocols share is below each of them", "http", "io", "protocol"),
            new Floor("proxyprotocol", "a layer takes a connection and gives one", "io"),
            new Floor("tls", "the model of TLS names no implementation and no layer", "io", "tls.cipher"),
            new Floor("tls.certificate", "certificates are read without knowing what for"),
            new Floor("tls.cipher", "cipher names depend on nothing"),
            new Floor("tls.jsse", "an implementation of TLS knows its interface only", "io", "tls", "tls.cipher"),
            new Floor("tls.layer", "the layer works with every implementation of TLS", "io", "tls"),
            new Floor(
                    "tls.material",
                    "files are read for every implementation; the JDK's is the one always there",
                    "io",
                    "tls",
                    "tls.certificate",
                    "tls.cipher",
                    "tls.jsse"),
            new Floor(
                    "http1",
                    "a protocol knows no exchanges and no handlers",
                    "http",
                    "io",
                    "protocol",
                    "protocol.serial"),
            new Floor(
                    "exchange",
                    "an exchange does not know which protocol carries it",
                    "http",
                    "io",
                    "protocol",
                    "workers"),
            new Floor(
                    "handler",
                    "handlers see exchanges, not protocols",
                    "exchange",
                    "http",
                    "io",
                    "protocol",
                    "workers"),
            new Floor(
                    "compression",
                    "content codings are handlers, below files",
                    "exchange",
                    "handler",
                    "http",
                    "io",
                    "protocol",
                    "workers"),
            new Floor("forwarded", "what front ends say is a handler's affair", "exchange", "handler", "http", "io"),
            new Floor(
                    "files",
                    "files are served by handlers, over any protocol",
                    "compression",
                    "exchange",
                    "handler",
                    "http",
                    "io",
                    "workers"),
            new Floor(
                    "",
                    "the embedding API is on top of core, and knows no transport and no servlet",
                    "compression",
                    "exchange",
                    "files",
                    "forwarded",
                    "handler",
                    "http",
                    "http1",
                    "io",
                    "protocol",
                    "proxyprotocol",
                    "tls",
                    "tls.layer",
                    "tls.material",
                    "workers"),
            new Floor("natives..", "the bindings' tools know nothing of a server"),
            new Floor("connector.apr..", "a transport knows no protocol", "io", "io.socket", "natives"),
            new Floor("connector.bio..", "a transport knows no protocol", "io", "io.socket"),
            new Floor("connector.nio..", "a transport knows no protocol", "io", "io.socket"),
            new Floor("connector.nio2..", "a transport knows no protocol", "io", "io.socket"),
            new Floor(
                    "connector.ajp..",
                    "the proof of the seam: a protocol needs neither a transport nor a handler",
                    "http",
                    "io",
                    "protocol",
                    "protocol.serial"),
            new Floor(
                    "tls.openssl..",
                    "an implementation of TLS knows its interface only",
                    "io",
                    "io.socket",
                    "natives",
                    "tls"),
            new Floor(
                    "servlet..",
                    "servlets see exchanges; no protocol, no transport, no TLS",
                    "",
                    "compression",
                    "exchange",
                    "files",
                    "forwarded",
                    "handler",
                    "http",
                    "io",
                    "protocol",
                    "workers"),
            new Floor("jsp..", "the glue for Jasper knows servlets only", "servlet.."),
            new Floor(
                    "standalone..",
                    "the product knows transports by their names only",
                    "",
                    "compression",
                    "exchange",
                    "files",
                    "forwarded",
                    "handler",
                    "http",
                    "http1",
                    "io",
                    "protocol",
                    "proxyprotocol",
                    "servlet..",
                    "tls",
                    "tls.material",
                    "workers"),
            new Floor(
                    "testkit..",
                    "contracts are for transports and protocols that do not know them",
                    "http",
                    "http1",
                    "io",
                    "io.socket",
                    "protocol",
                    "protocol.serial",
                    "tls",
                    "tls.layer",
                    "tls.material"));

    /** Packages that still depend on each other. This list only becomes shorter: an entry that is no longer true is reported. */
    private static final List<Set<String>> KNOTS =
            List.of(Set.of("servlet", "servlet.context", "servlet.inject", "servlet.request"));

    /** A package's use of a type of another one. */
    private record Use(String from, Path file, int line, String to, String type) {}

    /** Code that counts as none: literals and comments. */
    private static final Pattern NO_CODE = Pattern.compile(
            "\"\"\"[\\s\\S]*?\"\"\"|/\\*[\\s\\S]*?\\*/|//[^\\n]*|\"(?:[^\"\\\\\\n]++|\\\\.)*+\"|'(?:[^'\\\\\\n]|\\\\.)++'");

    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern TYPE = Pattern.compile("(?<![\\w.])((?:[a-z_]\\w*\\.)+)([A-Z]\\w*)");

    private final Path root;
    private final Map<Path, String> sources = new TreeMap<>();
    private final Map<String, Path> packages = new TreeMap<>();
    private final Map<String, Map<String, Use>> uses = new TreeMap<>();
    private final List<String> broken = new ArrayList<>();

    private PackageRules(Path root) {
        this.root = root;
    }

    public static void main(String[] arguments) throws IOException {
        PackageRules rules = new PackageRules(Path.of(arguments.length == 0 ? "." : arguments[0]));
        rules.read();
        rules.checkFloors();
        rules.checkCycles();
        rules.broken.forEach(System.out::println);
        System.out.println(
                "package rules: " + rules.sources.size() + " files in " + rules.packages.size() + " packages, "
                        + (rules.broken.isEmpty()
                                ? "all kept"
                                : rules.broken.size() + " broken; docs/decisions/052-packages.md"));
        if (!rules.broken.isEmpty()) {
            System.exit(1);
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

    /** The product's: those of its modules and of the testkit, not of samples, examples and benchmarks. */
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

    /** What keeps the numbers of the lines. */
    private static String lineEnds(MatchResult removed) {
        return removed.group().replaceAll("[^\\n]", " ");
    }

    private void readUses(Path file, String code) {
        Matcher declared = PACKAGE.matcher(code);
        String from = declared.find() ? declared.group(1) : "";
        Matcher named = TYPE.matcher(code);
        while (named.find()) {
            String to = named.group(1).substring(0, named.group(1).length() - 1);
            if (packages.containsKey(to) && !to.equals(from)) {
                int line = 1
                        + (int) code.substring(0, named.start())
                                .chars()
                                .filter(c -> c == '\n')
                                .count();
                Use use = new Use(from, file, line, to, named.group(2));
                uses.computeIfAbsent(from, first -> new TreeMap<>()).putIfAbsent(to, use);
                checkFloor(use);
            }
        }
    }

    /** Every package stands on a floor, so that a new one is thought about. */
    private void checkFloors() {
        for (Map.Entry<String, Path> each : packages.entrySet()) {
            if (isOurs(each.getKey()) && floor(each.getKey()) == null) {
                broken.add(root.relativize(each.getValue()) + ": the package " + each.getKey()
                        + " is in no rule; say in checks/PackageRules.java what it may use");
            }
        }
    }

    private void checkFloor(Use use) {
        Floor floor = floor(use.from());
        if (floor == null || !isOurs(use.to()) || floor.equals(floor(use.to()))) {
            return;
        }
        if (Arrays.stream(floor.uses()).noneMatch(name -> fits(name, use.to()))) {
            broken.add(describe(use) + "\n    " + use.from() + " may use "
                    + (floor.uses().length == 0
                            ? "nothing else"
                            : "only " + String.join(", ", floor.uses()).replaceFirst("^,", "(root),"))
                    + ": " + floor.why());
        }
    }

    private static boolean isOurs(String name) {
        return name.equals(BASE) || name.startsWith(BASE + ".");
    }

    private static Floor floor(String name) {
        return FLOORS.stream()
                .filter(floor -> fits(floor.packages(), name))
                .max((one, other) -> Integer.compare(
                        one.packages().length(), other.packages().length()))
                .orElse(null);
    }

    private static boolean fits(String packages, String name) {
        boolean below = packages.endsWith("..");
        String plain = below ? packages.substring(0, packages.length() - 2) : packages;
        String full = plain.isEmpty() ? BASE : BASE + "." + plain;
        return name.equals(full) || (below && name.startsWith(full + "."));
    }

    private void checkCycles() {
        List<Set<String>> left = new ArrayList<>(KNOTS);
        Set<String> seen = new HashSet<>();
        for (String start : uses.keySet()) {
            Set<String> knot = new TreeSet<>(reachable(start));
            knot.removeIf(other -> !reachable(other).contains(start));
            if (knot.isEmpty() || !seen.addAll(knot)) {
                continue;
            }
            List<Set<String>> known = KNOTS.stream()
                    .filter(names -> full(names).containsAll(knot))
                    .toList();
            left.removeAll(known);
            if (known.isEmpty()) {
                broken.add("These packages depend on each other, so that none can be understood alone: "
                        + String.join(", ", knot)
                        + shortestCycle(start, knot).stream()
                                .map(use -> "\n    " + describe(use))
                                .collect(Collectors.joining()));
            }
        }
        left.forEach(names ->
                System.out.println("package rules: no longer a knot, remove it from KNOTS: " + new TreeSet<>(names)));
    }

    private static Set<String> full(Collection<String> names) {
        return names.stream()
                .map(name -> name.isEmpty() ? BASE : BASE + "." + name)
                .collect(Collectors.toSet());
    }

    /** What a package uses, by whatever way; itself only if it is in a cycle. */
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

    /** Both files. */
    private String describe(Use use) {
        Path target = packages.get(use.to()).resolve(use.type() + ".java");
        return root.relativize(use.file()) + ":" + use.line() + " uses " + root.relativize(target);
    }
}
