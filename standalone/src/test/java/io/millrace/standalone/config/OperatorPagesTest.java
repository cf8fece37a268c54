package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.ExchangeOptions;
import io.millrace.io.ReachedLimits;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.XmlElement;
import io.millrace.testkit.NeedsConnector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The guide's pages for operators … */
class OperatorPagesTest {

    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    private static final Path GUIDE = PROJECT.resolve("docs/guide");

    private static final Pattern TABLE = Pattern.compile("\\| attribute of (\\w+) \\| default \\|.*");
    private static final Pattern ROW = Pattern.compile("\\| `([\\w.]+)` \\| (\\S+) \\|.*");
    private static final Pattern MESSAGE = Pattern.compile("MILLRACE\\d{4}");
    private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT))`");

    @Test
    @NeedsConnector("http2")
    void sayTheDefaultsAsTheyAre() throws IOException {
        List<String> wrong = new ArrayList<>();
        int rows = 0;
        String element = "";
        for (String line : Files.readAllLines(GUIDE.resolve("tuning.md"))) {
            Matcher table = TABLE.matcher(line);
            Matcher row = ROW.matcher(line);
            if (table.matches()) {
                element = table.group(1);
            } else if (!line.startsWith("|")) {
                element = "";
            } else if (!element.isEmpty() && row.matches()) {
                rows++;
                String byDefault = byDefault(element, row.group(1));
                if (byDefault != null && !byDefault.equals(row.group(2))) {
                    wrong.add(row.group(1) + " of " + element + " is " + byDefault);
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertEquals(24, rows);
    }

    @Test
    void sayHowMuchOfAResponseIsBuffered() throws IOException {
        assertTrue(Files.readString(GUIDE.resolve("tuning.md"))
                .contains("| `outputLimit` | " + ExchangeOptions.DEFAULT_OUTPUT_LIMIT + " |"));
    }

    @Test
    void nameEveryLimitThatIsCounted() throws IOException {
        String page = Files.readString(GUIDE.resolve("hardening.md"));
        assertEquals(
                List.of(),
                Stream.of(ReachedLimits.Limit.values())
                        .filter(each -> !page.contains("`" + each + "`"))
                        .toList());
    }

    @Test
    void nameTestsThatThereAre() throws IOException {
        Set<String> missing = TEST.matcher(Files.readString(GUIDE.resolve("hardening.md")))
                .results()
                .map(test -> test.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        for (String module : List.of("core", "connectors", "servlet", "websocket", "jsp", "standalone")) {
            try (Stream<Path> files = Files.walk(PROJECT.resolve(module))) {
                files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith(".java"))
                        .forEach(name -> missing.remove(name.substring(0, name.length() - ".java".length())));
            }
        }
        assertEquals(Set.of(), missing);
    }

    @Test
    void nameLogMessagesThatThereAre() throws IOException {
        String messages = Files.readString(GUIDE.resolve("log-messages.md"));
        Set<String> missing = new TreeSet<>();
        try (Stream<Path> pages = Files.list(GUIDE)) {
            for (Path page :
                    pages.filter(file -> file.toString().endsWith(".md")).toList()) {
                MESSAGE.matcher(Files.readString(page))
                        .results()
                        .map(MatchResult::group)
                        .filter(id ->
                                !messages.contains("| <a id=\"" + id.toLowerCase(Locale.ROOT) + "\"></a>`" + id + "`"))
                        .forEach(id -> missing.add(page.getFileName() + ": " + id));
            }
        }
        assertEquals(Set.of(), missing);
    }

    @Test
    void sayWhichVersionOfTomcatsJarsShips() throws IOException {
        Matcher version = Pattern.compile("<version\\.tomcat>(.*?)</version\\.tomcat>")
                .matcher(Files.readString(PROJECT.resolve("pom.xml")));
        assertTrue(version.find());
        assertTrue(Files.readString(GUIDE.resolve("versions-and-support.md"))
                .contains("Tomcat " + version.group(1) + ","));
    }

    /** Null if it depends on other attributes. */
    private static @Nullable String byDefault(String element, String attribute) {
        Attribute<?> found = Objects.requireNonNull(
                kind(element).attribute(attribute), () -> "there is no " + attribute + " of " + element);
        return found.byDefault();
    }

    private static Element.Kind kind(String element) {
        List<XmlElement.Attribute> written = element.equals("UpgradeProtocol")
                ? List.of(new XmlElement.Attribute("className", "org.apache.coyote.http2.Http2Protocol", 1))
                : List.of();
        return Vocabulary.of(new XmlElement(element, 1, "line 1", written, List.of(), ""));
    }
}
