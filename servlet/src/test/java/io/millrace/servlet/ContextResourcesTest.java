package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.InputStream;
import java.net.MalformedURLException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import javax.servlet.ServletContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ServletContext, asked for files, … */
final class ContextResourcesTest {

    @TempDir
    Path base;

    private Deployed app;
    private ServletContext context;

    @BeforeEach
    void deploy() throws Exception {
        Files.createDirectories(base.resolve("dir"));
        Files.writeString(base.resolve("x.txt"), "x");
        WebApplication application = WebApplication.builder("/c")
                .docBase(base)
                .servlet("s", Serving.with((request, response) -> {}), "/s")
                .build();
        app = Deployed.of(application);
        context = application.servletContext();
    }

    @AfterEach
    void undeploy() {
        app.close();
    }

    /** As in Tomcat: the specification wants an exception of getResource. */
    @Test
    void findsThemWithoutALeadingSlash() throws Exception {
        assertEquals(context.getResource("/x.txt"), context.getResource("x.txt"));
        assertNotNull(context.getResource("x.txt"));
        try (InputStream stream = Objects.requireNonNull(context.getResourceAsStream("x.txt"))) {
            assertEquals('x', stream.read());
        }
        assertEquals(base.toRealPath().resolve("x.txt").toString(), context.getRealPath("x.txt"));
        assertNull(context.getResource("none.txt"));
        assertThrows(MalformedURLException.class, () -> context.getResource(null));
    }

    @Test
    void wantsASlashBeforeDirectoriesAndDispatchersPaths() {
        assertEquals(Set.of("/dir/", "/x.txt"), context.getResourcePaths("/"));
        assertNull(context.getResourcePaths("/none"));
        assertThrows(IllegalArgumentException.class, () -> context.getResourcePaths("dir"));
        assertThrows(IllegalArgumentException.class, () -> context.getRequestDispatcher("s"));
        assertNotNull(context.getRequestDispatcher("/s"));
    }

    @Test
    void keepsTheSlashAtTheEndOfADirectory() throws Exception {
        String root = base.toRealPath().toString();
        assertEquals(root + "/", context.getRealPath("/"));
        assertEquals(root + "/", context.getRealPath(""));
        assertEquals(root + "/dir/", context.getRealPath("/dir/"));
        assertEquals(root + "/dir", context.getRealPath("/dir"));
        assertEquals(root + "/none", context.getRealPath("none"));
        assertEquals(root + "/none/", context.getRealPath("/none/"));
        assertNull(context.getRealPath("/x.txt/"));
        assertNull(context.getRealPath("/../x"));
        assertNull(context.getMimeType(null));
    }
}
