package io.millrace.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.handler.Asked;
import io.millrace.handler.MemoryStream;
import io.millrace.handler.Page;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page of a directory … */
class DirectoryPageTest {

    @TempDir
    Path root = Path.of("");

    private MemoryStream get(String path) throws IOException {
        return Asked.get(path).of(FileHandler.builder(root).listings(true).build());
    }

    @Test
    void linksTheDirectoryAbove() throws IOException {
        Files.createDirectory(root.resolve("sub"));
        assertTrue(get("/sub/").body().contains("<a href=\"../\">Parent directory</a>"));
        assertFalse(get("/").body().contains("../"));
    }

    @ParameterizedTest
    @CsvSource({"0, 0 B", "1023, 1023 B", "1536, 1.5 KiB", "1048576, 1.0 MiB", "5905580032, 5.5 GiB"})
    void alignsSizesWithTheirHeading(long length, String text) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(root.resolve("a").toFile(), "rw")) {
            file.setLength(length); // sparse
        }
        String page = get("/").body();
        assertTrue(page.contains("<th class=\"number\">"), page);
        assertTrue(page.contains("<td class=\"number\">" + text + "</td>"), page);
    }

    @Test
    void escapesPathsAndNames() throws IOException {
        assumeTrue(File.separatorChar == '/');
        Files.createDirectory(root.resolve("<b>"));
        Files.writeString(root.resolve("<b>/<img src=x onerror=alert(1)>'\".txt"), "");
        String page = get("/<b>/").body();
        assertTrue(page.contains("<title>Directory of /&lt;b&gt;/</title>"), page);
        assertTrue(page.contains("&lt;img src=x onerror=alert(1)&gt;&#39;&quot;.txt</a>"), page);
        assertFalse(page.contains("<img"), page);
        assertFalse(page.contains("<b>"), page);
    }

    @Test
    void isProtectedUnlessItHoldsMarkupOfTheApplication() throws IOException {
        assertEquals(Page.SECURITY_POLICY, get("/").header("Content-Security-Policy"));
        String page = new DirectoryPage("/", false, DirectoryOrder.DEFAULT)
                .readme("<img src=\"https://example.org/x.png\">")
                .render(List.of());
        assertTrue(page.contains("<img src"), page);
    }

    @Test
    void saysHowItIsSorted() throws IOException {
        String page = new DirectoryPage("/", false, DirectoryOrder.of("C=S;O=D")).render(List.of());
        assertTrue(page.contains("<th class=\"number\" aria-sort=\"descending\">"), page);
        assertFalse(page.contains("aria-sort=\"ascending\""), page);
    }
}
