package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file name … */
final class ContextNameTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            shop.war            | /shop         | ''
            shop                | /shop         | ''
            SHOP.WAR            | /SHOP         | ''
            ROOT.war            | ''            | ''
            ROOT                | ''            | ''
            ROOT##2.war         | ''            | 2
            foo#bar.war         | /foo/bar      | ''
            foo##1.war          | /foo          | 1
            foo#bar##1.2.war    | /foo/bar      | 1.2
            jolokia-war-1.7.2.war | /jolokia-war-1.7.2 | ''
            /srv/apps/shop.war  | /shop         | ''
            shop.war.d          | /shop.war.d   | ''
            """)
    void meansAContextPathAsWithTomcat(String file, String path, String version) {
        assertEquals(new ContextName(path, version), ContextName.ofFile(file));
    }

    @ParameterizedTest
    @CsvSource({"'',ROOT", "/shop,shop", "/foo/bar,foo#bar"})
    void isFoundFromAContextPath(String path, String name) {
        assertEquals(name, ContextName.baseName(path));
    }
}
