package io.millrace.servlet.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.settings.FormLimits;
import java.nio.charset.Charset;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ParametersTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "''               | ''",
                "a=b              | a=[b]",
                "a=b&c=d          | a=[b] c=[d]",
                "b=1&a=2&b=3      | b=[1, 3] a=[2]",
                "a                | a=[]",
                "a=               | a=[]",
                "=b&c=d           | c=[d]",
                "&&a=b&&          | a=[b]",
                "a=b=c            | a=[b=c]",
                "a+b=c+d          | a b=[c d]",
                "a%20b=c%2Bd      | a b=[c+d]",
                "a=%E4%BD%A0      | a=[你]",
                "a=%zz&b=c        | b=[c]",
                "a=%&b=c          | b=[c]",
                "a=%4&b=c         | b=[c]",
                "%4=x&b=c         | b=[c]",
                "a=1%2&b=c        | b=[c]",
                "a=%41            | a=[A]",
                "a=%FF            | a=[\uFFFD]",
                "a=x;b=y          | a=[x;b=y]",
                "a=%26%3D         | a=[&=]",
            })
    void decodes(String text, String expected) {
        assertEquals(expected, parse(text, UTF_8));
    }

    @Test
    void decodesInTheCharsetGiven() {
        assertEquals("a=[ä]", parse("a=%E4", ISO_8859_1));
        assertEquals("a=[я]", parse("a=%FF", Charset.forName("windows-1251")));
        assertEquals("a=[я]", parse("a=\u00ff", Charset.forName("windows-1251")));
    }

    @Test
    void countsTheParametersAgainstTheLimit() {
        Parameters parameters = new Parameters(new FormLimits(2, -1, -1, -1));
        parameters.addEncoded("a=1&b=2", UTF_8);
        FormException refused = assertThrows(FormException.class, () -> parameters.addEncoded("a=3", UTF_8));
        assertEquals(400, refused.status());
        assertTrue(refused.getMessage().contains("maxParameterCount"));
        assertEquals(0, refused.getStackTrace().length);
    }

    @Test
    void putsADispatchersQueryFirst() {
        Parameters parameters = new Parameters(FormLimits.DEFAULT);
        parameters.addEncoded("a=1&b=2", UTF_8);
        Parameters merged = parameters.precededBy("b=0&c=3", UTF_8);
        assertArrayEquals(new String[] {"0", "2"}, merged.values("b"));
        assertEquals("1", merged.value("a"));
        assertNull(parameters.value("c"));
    }

    @Test
    void handsOutNothingThatChangesIt() {
        Parameters parameters = new Parameters(FormLimits.DEFAULT);
        parameters.add("a", "1");
        String[] values = parameters.values("a");
        assertTrue(values != null);
        values[0] = "2";
        assertEquals("1", parameters.value("a"));
        assertThrows(UnsupportedOperationException.class, () -> parameters.map().clear());
        assertThrows(
                UnsupportedOperationException.class, () -> parameters.names().clear());
    }

    private static String parse(String text, Charset charset) {
        Parameters parameters = new Parameters(FormLimits.DEFAULT);
        parameters.addEncoded(text, charset);
        StringJoiner found = new StringJoiner(" ");
        parameters.map().forEach((name, values) -> found.add(name + "=[" + String.join(", ", values) + "]"));
        return found.toString();
    }
}
