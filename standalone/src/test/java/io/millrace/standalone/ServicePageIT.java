package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page about installing, and its unit, Dockerfile and logrotate configuration, … */
final class ServicePageIT {

    private static final Path DIST = Path.of(System.getProperty("millrace.dist", ""));
    private static final Path ROOT = DIST.resolve("../../..").normalize();
    private static final Path GUIDE = ROOT.resolve("docs/guide");
    private static final Pattern INSTALLED = Pattern.compile("/opt/millrace/([a-zA-Z/]+)");
    private static final Pattern COPIED = Pattern.compile("(?m)^COPY (?!--)(\\S+) ");
    private static final Pattern IN_TABLE = Pattern.compile("`([^`]+)`");

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"millrace.service", "millrace-http.socket", "Dockerfile", "millrace.logrotate"})
    void showsTheFilesAsTheyAre(String name) throws IOException {
        String file = Files.readString(GUIDE.resolve("service").resolve(name));
        String shown = file.lines()
                .map(line -> line.isEmpty() ? "" : "    " + line)
                .collect(Collectors.joining("\n", "\n\n", "\n\n"));
        assertTrue(Files.readString(GUIDE.resolve("service.md")).contains(shown), shown);
        for (String path : all(INSTALLED, file)) {
            assertTrue(Files.exists(DIST.resolve(path)), path);
        }
    }

    @Test
    void copiesWhatTheBuildMakes() throws IOException {
        List<String> copied = all(COPIED, Files.readString(GUIDE.resolve("service/Dockerfile")));
        assertEquals(3, copied.size(), copied.toString());
        for (String path : copied) {
            assertTrue(Files.exists(ROOT.resolve(path)), path);
        }
    }

    @Test
    void namesWhatIsInTheDistribution() throws IOException {
        String page = Files.readString(GUIDE.resolve("service.md"));
        String table = page.substring(page.indexOf("| in `/opt/millrace`"), page.indexOf("## The site"));
        int rows = 0;
        for (String row :
                table.lines().skip(2).filter(line -> line.startsWith("|")).toList()) {
            for (String name : all(IN_TABLE, row.split("\\|", -1)[1])) {
                rows++;
                assertTrue(name.equals("archive/") || Files.exists(DIST.resolve(name)), name);
            }
        }
        assertEquals(7, rows);
    }

    @Test
    void callsTheCommandByOptionsThatItHas() throws Exception {
        try (Product help = Product.launch("start", "--help")) {
            assertEquals(0, help.exitStatus(), help.output());
            assertTrue(help.output().contains("--base"), help.output());
        }
    }
}
