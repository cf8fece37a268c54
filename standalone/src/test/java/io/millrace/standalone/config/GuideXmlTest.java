package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.testkit.NeedsConnector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The XML of the guide … */
@NeedsConnector({"http2", "spdy", "ajp"})
final class GuideXmlTest {

    private static final Path GUIDE = Path.of("..", "docs", "guide");
    private static final Pattern BLOCK =
            Pattern.compile("^```xml\n(\\s*<(\\w+).*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Set<String> OF_SERVICE = Set.of("Connector", "Executor");
    private static final Set<String> OF_CONTEXT = Set.of("Resource", "ResourceLink", "Manager", "Resources");
    private static final Set<String> TRANSPORTS = Set.of("nio", "nio2", "bio", "apr");

    /** Of web.xml and of Maven. */
    private static final Set<String> ELSEWHERE =
            Set.of("servlet", "filter", "security", "deny", "project", "dependency", "plugin");

    private static final String USERS = "<GlobalNamingResources><Resource name='jdbc/users' type='javax.sql.DataSource'"
            + " driverClassName='org.h2.Driver' url='jdbc:h2:mem:users'/></GlobalNamingResources>";

    /** The server.xml that has this XML at its place; null if it belongs into another file. */
    private static String around(String xml, String element) {
        String inService = OF_SERVICE.contains(element) ? xml : "<Connector port='0'/>";
        String inEngine = Set.of("Valve", "Realm").contains(element) ? xml : "";
        String inServer = element.equals("Listener") ? xml : USERS;
        String inHost = "";
        if (element.equals("Context")) {
            inHost = xml.replaceFirst("<Context", "<Context path='/a' docBase='a'");
        } else if (OF_CONTEXT.contains(element)) {
            inHost = "<Context path='/a' docBase='a'>" + xml + "</Context>";
        } else if (element.equals("Proxy")) {
            inHost = xml;
        }
        String host = element.equals("Host") ? xml : "<Host name='localhost' appBase='webapps'>" + inHost + "</Host>";
        return "<Server>" + inServer + "<Service>" + inService + "<Engine defaultHost='localhost'>" + inEngine + host
                + "</Engine></Service></Server>";
    }

    @Test
    void isReadWithoutAProblem() throws IOException {
        List<String> found = new ArrayList<>();
        int read = 0;
        try (Stream<Path> pages = Files.list(GUIDE)) {
            for (Path page : pages.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList()) {
                Matcher blocks = BLOCK.matcher(Files.readString(page));
                for (MatchResult block : blocks.results().toList()) {
                    String element = block.group(2);
                    if (!ELSEWHERE.contains(element)) {
                        String xml = block.group(1).replaceAll("\\$\\{[^}]+}", "secret");
                        found.addAll(problems(page, element.equals("Server") ? xml : around(xml, element)));
                        read++;
                    }
                }
            }
        }
        assertEquals(List.of(), found);
        assertTrue(read > 20, "blocks: " + read);
    }

    private static List<String> problems(Path page, String xml) {
        Problems problems = new Problems(page.getFileName().toString());
        new ServerXml(Path.of("/base"), TRANSPORTS, problems).parse(xml);
        return problems.inOrder().stream()
                .map(Problem::toString)
                .filter(problem -> !problem.contains("/base/conf/")) // certificates: the files are the reader's
                .filter(problem -> !problem.contains("SecurityListener: the ")) // the tests' user and umask
                .map(problem -> problem + " in " + xml)
                .toList();
    }
}
