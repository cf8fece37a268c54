package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JSPWiki (77 jars, JSP pages with a tag library of its own, a filter before them) … */
@Tag("wars")
final class JspWikiIT {

    @Test
    void letsPagesBeWrittenAndRead(@TempDir Path directory) throws Exception {
        Path home = Files.createDirectory(directory.resolve("home"));
        // it keeps its pages in the user's home directory, and its index in the temporary one
        Map<String, String> environment = Map.of("JAVA_OPTS", "-Duser.home=" + home + " -Djava.io.tmpdir=" + home);
        try (Product product = Product.process()
                .environment(environment)
                .launch(
                        "run",
                        "--port=0",
                        "--address=127.0.0.1",
                        "--work=" + directory.resolve("work"),
                        Product.war("jspwiki-war") + "=/wiki")) {
            product.awaitStart();
            Visitor visitor = new Visitor(product.url("/wiki"), directory.resolve("cookies"));
            assertEquals(200, visitor.visit("/").status());
            assertEquals(200, visitor.visit("/Login.jsp").status());

            save(visitor, "The mill __race__ runs.");
            Visitor.Page page = visitor.visit("/Wiki.jsp?page=Mill");
            assertTrue(page.says("The mill <b>race</b> runs."), page.body());
            assertEquals(
                    "The mill __race__ runs.",
                    Files.readString(home.resolve("jspwiki-files/Mill.txt")).strip());

            save(visitor, "The mill __race__ stands still.");
            assertTrue(visitor.visit("/Wiki.jsp?page=Mill").says("stands still"));
            Visitor.Page comparison = visitor.visit("/Diff.jsp?page=Mill&r1=-1&r2=1");
            assertTrue(comparison.says("No difference detected"), comparison.body());

            Visitor.Page info = visitor.visit("/PageInfo.jsp?page=Mill");
            assertEquals(200, info.status());
            assertEquals(404, visitor.visit("/WEB-INF/web.xml").status());
        }
    }

    private static void save(Visitor visitor, String text) throws Exception {
        Visitor.Page form = visitor.visit("/Edit.jsp?page=Mill");
        String guard = form.find("<input type='hidden' name='([a-z]+)' value='-?\\d+'");
        String guardValue = form.find("<input type='hidden' name='[a-z]+' value='(-?\\d+)'");
        Visitor.Page saved = visitor.visit(
                "/Edit.jsp",
                "--data-urlencode",
                "_editedtext=" + text,
                "-d",
                "encodingcheck=%E3%81%81&page=Mill&action=save&submit_auth=&ok=Save&" + guard + "=" + guardValue);
        assertTrue(saved.url().endsWith("/Wiki.jsp?page=Mill"), saved.url());
    }
}
