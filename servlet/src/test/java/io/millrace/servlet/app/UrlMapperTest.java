package io.millrace.servlet.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.inject.Injector;
import io.millrace.servlet.inject.Instances;
import io.millrace.servlet.model.ServletModel;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.naming.Naming;
import java.util.List;
import java.util.Map;
import javax.servlet.http.MappingMatch;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@NullUnmarked // no servlet here sees its context
class UrlMapperTest {

    private final UrlMapper mapper = new UrlMapper(List.of(
            servlet("exact", "/exact", "/catalog/index.html"),
            servlet("catalog", "/catalog/*"),
            servlet("deep", "/catalog/deep/*"),
            servlet("pages", "*.do", "*.tar"),
            servlet("root", ""),
            servlet("rest", "/")));

    private static ServletHolder servlet(String name, String... patterns) {
        ServletModel model = new ServletModel(name);
        model.mappings.addAll(List.of(patterns));
        return new ServletHolder(model, instances(), null, null, null);
    }

    private static Instances instances() {
        ClassLoader loader = UrlMapperTest.class.getClassLoader();
        WebAppModel model = new WebAppModel();
        return new Instances(
                loader, new Injector(model, Naming.open(loader, List.of(), Map.of()), loader), name -> null);
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            /exact,              exact,   /exact,              -,          EXACT
            /exact/,             rest,    /exact/,             -,          DEFAULT
            /catalog/index.html, exact,   /catalog/index.html, -,          EXACT
            /catalog,            catalog, /catalog,            -,          PATH
            /catalog/,           catalog, /catalog,            /,          PATH
            /catalog/x.do,       catalog, /catalog,            /x.do,      PATH
            /catalog/deeper,     catalog, /catalog,            /deeper,    PATH
            /catalog/deep,       deep,    /catalog/deep,       -,          PATH
            /catalog/deep/a/b,   deep,    /catalog/deep,       /a/b,       PATH
            /catalogue,          rest,    /catalogue,          -,          DEFAULT
            /x/y.do,             pages,   /x/y.do,             -,          EXTENSION
            /x.do/y,             rest,    /x.do/y,             -,          DEFAULT
            /x.tar.gz,           rest,    /x.tar.gz,           -,          DEFAULT
            /x.gz.tar,           pages,   /x.gz.tar,           -,          EXTENSION
            /x.DO,               rest,    /x.DO,               -,          DEFAULT
            /,                   root,    '',                  /,          CONTEXT_ROOT
            """)
    void findsTheServlet(String path, String servlet, String servletPath, String pathInfo, MappingMatch kind) {
        ServletMatch match = mapper.match(path);
        assertNotNull(match);
        assertEquals(servlet, match.getServletName());
        assertEquals(servletPath, match.servletPath());
        assertEquals(pathInfo, match.pathInfo());
        assertEquals(kind, match.getMappingMatch());
    }

    @ParameterizedTest
    @CsvSource({"/exact, exact", "/catalog/deep/a/b, a/b", "/catalog, ''", "/x/y.do, x/y", "/, ''", "/other, ''"})
    void tellsWhatThePatternMatched(String path, String value) {
        assertEquals(value, mapper.match(path).getMatchValue());
    }

    @Test
    void findsNothingWithoutADefault() {
        assertNull(new UrlMapper(List.of(servlet("one", "/one"))).match("/two"));
    }

    @Test
    void letsTheWildcardTakeTheRoot() {
        ServletMatch match = new UrlMapper(List.of(servlet("all", "/*"))).match("/");
        assertEquals("", match.servletPath());
        assertEquals("/", match.pathInfo());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/*", "/a", "/a/*", "*.jsp", "/a*b"})
    void takesPatterns(String pattern) {
        assertTrue(UrlMapper.isValid(pattern));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "*", "*a", "*./x", "/a\n"})
    void refusesWhatIsNoPattern(String pattern) {
        assertFalse(UrlMapper.isValid(pattern));
    }
}
