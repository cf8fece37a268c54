package io.millrace.jsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.WebApplication;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.servlet.ServletConfig;
import javax.servlet.ServletContext;
import org.apache.jasper.EmbeddedServletOptions;
import org.apache.jasper.JspCompilationContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A page on a machine without descriptors or disk … */
@Timeout(120)
final class PageCompilerTest {

    @TempDir
    private Path directory = Path.of("");

    private Site site;

    @BeforeEach
    void makeRoot() throws IOException {
        site = new Site(Files.createDirectories(directory.resolve("root")));
    }

    @AfterEach
    void stop() {
        site.close();
    }

    @Test
    void isAFailureAndNotMissingIfItsClassCannotBeWritten() throws Exception {
        site.with("first.jsp", "1").with("page.jsp", "x").start();
        assertEquals("1", site.body("/first.jsp"));
        Path inTheWay = Files.createDirectories(classOf("first").resolveSibling("page_jsp.java/stays"));
        assertEquals(500, site.get("/page.jsp").statusCode());
        Files.delete(inTheWay);
        Files.delete(inTheWay.getParent());
        assertEquals("x", site.body("/page.jsp"));
        assertEquals(404, site.get("/missing.jsp").statusCode());
    }

    @Test
    void isNotCompiledAnewIfNobodyCanTellHowOldItIs() throws Exception {
        CompletableFuture<ServletContext> context = new CompletableFuture<>();
        site.start(WebApplication.builder("")
                .docBase(site.root())
                .configure(context::complete)
                .build());
        Path compiled = Files.createFile(directory.resolve("page_jsp.class"));
        PageCompiler compiler = new PageCompiler();
        Page page = new Page(context.get(), compiled);
        compiler.init(page, null);
        assertTrue(compiler.isOutDated(true), "it is another time than the page's");
        page.lastModified = -1;
        assertFalse(compiler.isOutDated(true));
        Files.delete(compiled);
        assertTrue(compiler.isOutDated(true));
    }

    @Test
    void isCompiledByThisClassAlsoWhereADescriptorDeclaresTheServlet() throws Exception {
        site.webXml("""
                <servlet><servlet-name>pages</servlet-name>
                <servlet-class>org.apache.jasper.servlet.JspServlet</servlet-class></servlet>
                <servlet-mapping><servlet-name>pages</servlet-name><url-pattern>*.page</url-pattern></servlet-mapping>
                """)
                .with("a.page", "<%= application.getServletRegistration(\"pages\").getInitParameters() %>")
                .start();
        assertEquals("{compilerClassName=" + PageCompiler.class.getName() + "}", site.body("/a.page"));
    }

    /** Which is there, and which the system lets us look at or not. */
    private final class Page extends JspCompilationContext {

        private final Path compiled;
        private long lastModified = 1;

        @SuppressWarnings("NullAway") // Jasper's constructor takes what is not asked for as null
        Page(ServletContext context, Path compiled) {
            super("/page.jsp", new EmbeddedServletOptions(new Config(context), context), context, null, null);
            this.compiled = compiled;
        }

        @Override
        public String getClassFileName() {
            return compiled.toString();
        }

        @Override
        public URL getResource(String path) throws MalformedURLException {
            return directory.resolve("page.jsp").toUri().toURL();
        }

        @Override
        public Long getLastModified(String resource) {
            return lastModified;
        }
    }

    /** Of a servlet without parameters. */
    private record Config(ServletContext context) implements ServletConfig {

        @Override
        public String getServletName() {
            return "jsp";
        }

        @Override
        public ServletContext getServletContext() {
            return context;
        }

        @Override
        public @Nullable String getInitParameter(String name) {
            return null;
        }

        @Override
        public Enumeration<String> getInitParameterNames() {
            return Collections.emptyEnumeration();
        }
    }

    private Path classOf(String page) throws IOException {
        try (Stream<Path> files = Files.walk(site.work())) {
            return files.filter(file -> file.endsWith("org/apache/jsp/" + page + "_jsp.class"))
                    .findAny()
                    .orElseThrow();
        }
    }
}
