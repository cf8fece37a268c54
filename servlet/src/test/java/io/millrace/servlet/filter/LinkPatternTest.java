package io.millrace.servlet.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import javax.servlet.ServletContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A pattern of links … */
final class LinkPatternTest {

    /** Knows the type of everything: a style sheet's. */
    private static final ServletContext STYLE_SHEETS = (ServletContext) Proxy.newProxyInstance(
            LinkPatternTest.class.getClassLoader(),
            new Class<?>[] {ServletContext.class},
            (proxy, method, arguments) -> arguments[0].equals("/a.css") ? "text/css" : null);

    @ParameterizedTest
    @CsvSource(textBlock = """
            *.png,         /a.png,       true
            *.png,         /a.png?b=c,   false
            /static/*,     /static/a,    true
            /static/*,     /other/a,     false
            /a,            /a,           true
            /a,            /ab,          false
            mime:text/css, /a.css?v=1,   true
            mime:text/*,   /a.css,       true
            mime:image/*,  /a.css,       false
            mime:text/*,   /a,           false
            """)
    void matchesOrDoesNot(String pattern, String url, boolean matches) {
        assertEquals(matches, LinkPattern.of(pattern).matches(url, STYLE_SHEETS));
    }

    @ParameterizedTest
    @CsvSource({"/x.*, true", "/y.*, false"})
    void mayBeARegularExpression(String expression, boolean matches) throws Exception {
        assertEquals(matches, LinkPattern.expression("p", expression).matches("/x/y", STYLE_SHEETS));
    }
}
