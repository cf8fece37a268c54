package io.millrace.standalone.config.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.proxyprotocol.ProxyProtocol;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.testkit.NeedsConnector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The guide's tables of a Connector's attributes … */
class ConnectorGuideTest {

    private static final Path PAGE = Path.of("..", "docs", "guide", "connector-attributes.md");

    /** Attributes that have pages of their own. */
    private static final Set<String> ELSEWHERE = Stream.of(TlsKinds.ON_CONNECTOR, Attribute.of(ProxyProtocol.all()))
            .flatMap(List::stream)
            .map(Attribute::name)
            .collect(Collectors.toSet());

    /** What one row says of an attribute. */
    private record Row(String effect, String text) {}

    @Test
    void hasEachAttributeOnceWithItsEffectAndDefault() throws IOException {
        Map<String, Row> rows = rows();
        List<String> wrong = new ArrayList<>();
        for (Attribute<?> rule : new ConnectorKind().attributes().values()) {
            Row row = rows.remove(rule.name());
            if (row == null) {
                if (rule.effect() != Attribute.Effect.MOOT && !ELSEWHERE.contains(rule.name())) {
                    wrong.add(rule.name() + " is missing");
                }
            } else if (!effects(rule).contains(row.effect)) {
                wrong.add(rule.name() + " is said to be: " + row.effect);
            } else if (rule.assignment() != null && !row.text.contains(shown(rule.byDefault()))) {
                wrong.add(rule.name() + " lacks its default: " + rule.byDefault());
            }
        }
        rows.keySet().removeIf(ELSEWHERE::contains);
        assertEquals(List.of(), wrong);
        assertEquals(Set.of(), rows.keySet(), "unknown attributes");
    }

    @Test
    @NeedsConnector("http2")
    void hasEachAttributeOfHttp2WithItsDefault() throws IOException {
        Map<String, String> rows = defaults("http2.md");
        Map<String, String> declared = UpgradeProtocols.HTTP2.attributes().values().stream()
                .filter(rule -> rule.assignment() != null)
                .collect(Collectors.toMap(
                        Attribute::name, rule -> Objects.requireNonNullElse(rule.byDefault(), "the Connector's")));
        assertEquals(new TreeMap<>(declared), new TreeMap<>(rows));
    }

    @Test
    void hasEachAttributeOfTheProxyProtocolWithItsDefault() throws IOException {
        Map<String, String> rows = defaults("behind-a-proxy.md");
        for (Attribute<?> rule : Attribute.of(ProxyProtocol.all())) {
            assertEquals(rule.byDefault(), rows.get(rule.name()), rule.name());
        }
    }

    /** By the attributes that a page's tables have in their first column, in backquotes, what the second one says. */
    private static Map<String, String> defaults(String page) throws IOException {
        Map<String, String> rows = new LinkedHashMap<>();
        Files.readAllLines(PAGE.resolveSibling(page)).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("\\|", -1))
                .forEach(cells -> {
                    String[] names = cells[1].replace("`", "").strip().split(", ", -1);
                    String[] defaults = cells[2].replaceAll("`|(?<=the Connector's) .*", "")
                            .strip()
                            .split(", ", -1);
                    for (int i = 0; i < names.length; i++) {
                        rows.put(names[i], defaults[Math.min(i, defaults.length - 1)]);
                    }
                });
        return rows;
    }

    private static Map<String, Row> rows() throws IOException {
        Map<String, Row> rows = new LinkedHashMap<>();
        Files.readAllLines(PAGE).stream()
                .filter(line -> line.matches("\\| [a-zA-Z].* \\| (works|ignored|refused|silent) \\|.*"))
                .map(line -> line.split("\\|", -1))
                .forEach(cells -> Arrays.stream(cells[1].split(","))
                        .map(String::strip)
                        .filter(name -> name.matches("[\\w.]+"))
                        .forEach(name -> rows.put(name, new Row(cells[2].strip(), cells[3]))));
        return rows;
    }

    /** The words of the guide; one that takes only its harmless value is refused otherwise. */
    private static Set<String> effects(Attribute<?> rule) {
        return switch (rule.effect()) {
            case WORKS -> Set.of("works", "refused");
            case NONE -> Set.of("ignored");
            case MOOT -> Set.of("silent");
        };
    }

    private static String shown(@Nullable String byDefault) {
        if (byDefault == null || byDefault.isEmpty()) {
            return "";
        }
        return switch (byDefault) {
            case "2097152" -> "2 MiB";
            case "2147483647" -> "no limit";
            default -> byDefault;
        };
    }
}
