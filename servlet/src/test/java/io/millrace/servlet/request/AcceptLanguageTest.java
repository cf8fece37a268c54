package io.millrace.servlet.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.fuzz.Growth;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Accept-Language … */
final class AcceptLanguageTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "de | [de]",
                "de-CH, fr;q=0.9, en ; q=0.95 | [de_CH, en, fr]",
                " de \t;\t q=0.5 , fr | [fr, de]",
                "de;q=0, fr | [fr]",
                "de;q=x, fr;level=1, en | [en]",
                "*, de | [de]",
            })
    void namesTheBestFirst(String field, String expected) {
        assertEquals(expected, AcceptLanguage.parse(field).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", ",", "de;q=0"})
    void leavesItToTheServerIfItNamesNone(String field) {
        assertEquals(Locale.getDefault(), AcceptLanguage.parse(field).get(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", ",", ";", "a-", "-x", "a;q=", "1", "en-u-co-abc", " ,"})
    void costsNoMoreThanOthersOfItsLength(String piece) {
        Growth.assertLinear(
                100_000 / piece.length(), count -> "de" + piece.repeat(count) + "x;q=1", AcceptLanguage::parse);
        Growth.assertLinear(
                100_000 / piece.length(), count -> "de;q=" + piece.repeat(count) + "x", AcceptLanguage::parse);
    }
}
