package io.millrace.servlet.deploy.xml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.text.XmlErrors;
import java.io.StringReader;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The explanation of what the JDK's XML parser reports … */
class XmlErrorsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<a><b></b> | an element is not closed",
                "<a/><b/> | something follows the end of the first element",
                "x<a/> | the file begins with something else than an element",
                "<a>1 < 2</a> | write &lt; for a < that begins no element",
                "<a>b & c</a> | write &amp; for &",
                "<a b='?c&d=e'/> | write &amp; for &",
                "<a b='1 < 2'/> | a closing quote is missing, or &lt; must be written for <",
                "`` | the file is empty or ends too early",
                "<a b='1'c='2'/> | a quote, a space or a > is missing",
                "` <?xml version='1.0'?><a/>` | <?xml …?> must be at the very beginning of the file",
            })
    void endsWithWhatToCorrect(String xml, String hint) {
        String explained = XmlErrors.explain(message(xml));
        assertTrue(explained.endsWith(" (" + hint + ")"), explained);
    }

    @Test
    void hasNeitherThePositionNorAHintWhereTheMessageIsClear() {
        assertEquals(
                "The element type \"b\" must be terminated by the matching end-tag \"</b>\".",
                XmlErrors.explain(message("<a>\n<b></a>")));
    }

    private static String message(String xml) {
        XMLStreamException wrong = assertThrows(XMLStreamException.class, () -> {
            XMLStreamReader reader = XMLInputFactory.newDefaultFactory().createXMLStreamReader(new StringReader(xml));
            while (reader.hasNext()) {
                reader.next();
            }
        });
        return String.valueOf(wrong.getMessage());
    }
}
