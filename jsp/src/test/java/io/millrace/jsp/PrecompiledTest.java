package io.millrace.jsp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages that were compiled when the WAR was made, as jspc does it … */
final class PrecompiledTest {

    private static final String CLASS = "org/apache/jsp/shop/page_jsp.class";

    private static final String WEB_XML = """
            <servlet><servlet-name>page</servlet-name>
              <servlet-class>org.apache.jsp.shop.page_jsp</servlet-class></servlet>
            <servlet-mapping><servlet-name>page</servlet-name><url-pattern>/shop/page.jsp</url-pattern></servlet-mapping>
            """;

    @Test
    void areServletsOfTheApplicationsWebXml(@TempDir Path directory) throws Exception {
        Path classFile = compiled(Files.createDirectories(directory.resolve("made/app")));
        Path root = Files.createDirectories(directory.resolve("app"));
        try (Site site = new Site(root).webXml(WEB_XML)) {
            Path target = root.resolve("WEB-INF/classes").resolve(CLASS);
            Files.createDirectories(target.getParent());
            Files.copy(classFile, target);
            site.start();
            assertEquals("42 ada", site.body("/shop/page.jsp?name=ada"));
        }
    }

    /** By the engine itself, in another application. */
    private static Path compiled(Path root) throws Exception {
        try (Site site = new Site(root)
                .with("shop/page.jsp", "<%= 6 * 7 %> ${param.name}")
                .start()) {
            assertEquals("42", site.body("/shop/page.jsp"));
            return find(site.work());
        }
    }

    private static Path find(Path work) throws IOException {
        try (Stream<Path> files = Files.walk(work)) {
            return files.filter(file -> file.endsWith(CLASS)).findFirst().orElseThrow();
        }
    }
}
