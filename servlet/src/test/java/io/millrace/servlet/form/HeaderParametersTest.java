package io.millrace.servlet.form;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HeaderParametersTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "form-data; name=\"a\"; filename=\"b.txt\"            | b.txt",
                "FORM-DATA;FileName=b.txt;name=a                      | b.txt",
                "form-data; filename=\"C:\\dir\\b.txt\"               | C:\\dir\\b.txt",
                "form-data; filename=\"a\\\"b\"                       | a\"b",
                "form-data; filename=\"a;b=c\"; name=d                | a;b=c",
                "form-data; filename=\"\"                             | ''",
                "form-data; filename=\"open                           | open",
                "form-data; filename=x; filename*=UTF-8''%e2%82%ac+1  | €+1",
                "form-data; filename*=ISO-8859-1'en'%A3               | £",
                "form-data; filename=x; filename*=nonsense            | x",
                "form-data; filename=x; filename*=UTF-8''%zz          | x",
                "form-data; filename=x; filename*=no-such''y          | x",
                "form-data; filename=first; filename=second           | first",
                "form-data; filename = spaced ; name=a                | spaced",
            })
    void findsTheFileName(String field, String expected) {
        assertEquals(expected, new HeaderParameters(field).get("filename"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {"form-data; a=b | form-data", "Text/HTML | text/html", " x ; | x", "; a=b | ''", "'' | ''"})
    void findsTheValue(String field, String expected) {
        assertEquals(expected, new HeaderParameters(field).value());
    }
}
