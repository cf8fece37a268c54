package io.millrace.servlet.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.fuzz.Growth;
import io.millrace.servlet.model.MultipartModel;
import io.millrace.servlet.settings.FormLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The work for a form grows no faster than the form … */
final class LinearFormsTest {

    /** A quarter of maxPostSize. */
    private static final int SIZE = 500_000;

    private static final FormLimits UNLIMITED = new FormLimits(-1, -1, -1, -1);

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"&", "=", ";", "%41", "%", "+", "a&", "a=b&", "&=", "=&", "%zz&", "a=%41&", "é"})
    void ofParameters(String piece) {
        Growth.assertLinear(
                SIZE / piece.length(), piece::repeat, text -> new Parameters(UNLIMITED).addEncoded(text, UTF_8));
    }

    @Test
    void ofParametersWithNamesOfOneHash() {
        Growth.assertLinear(
                10_000, LinearFormsTest::colliding, text -> new Parameters(UNLIMITED).addEncoded(text, UTF_8));
    }

    /** {@code Aa} and {@code BB} have the same hash, and so have all words of them. */
    private static String colliding(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            for (int bit = 1; bit < 1 << 16; bit <<= 1) {
                text.append((i & bit) == 0 ? "Aa" : "BB");
            }
            text.append("=&");
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r",
                "\r\n",
                "\r\n-",
                "\r\n--bounda",
                "--boundary",
                "x",
                "\r\n--boundary\r\n\r\n",
                "\r\n--boundary\r\nContent-Disposition: form-data; name=f\r\n\r\nvalue",
                "\r\n--boundary\r\nContent-Disposition: form-data; name=f; filename=x\r\n\r\nvalue",
                "\r\n--boundary\r\n\tContent-Disposition: form-data; name=f\r\n\r\nvalue",
            })
    void ofParts(String piece) {
        parts(count -> "--boundary\r\nContent-Disposition: form-data; name=f\r\n\r\n" + piece.repeat(count), piece);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:\r\n", " \r\n", "\r", ";", ";a=b", ";a=\"", "\\", "=", "\"", "\ta:\r\n"})
    void ofTheHeaderOfAPart(String piece) {
        parts(count -> "--boundary\r\nContent-Disposition: form-data; name=f" + piece.repeat(count), piece);
    }

    private void parts(IntFunction<String> text, String piece) {
        Growth.assertLinear(SIZE / piece.length(), count -> text.apply(count).getBytes(ISO_8859_1), this::read);
    }

    private void read(byte[] body) {
        MultipartModel config = new MultipartModel("", -1, -1, Integer.MAX_VALUE);
        HeaderParameters type = new HeaderParameters("multipart/form-data; boundary=boundary");
        try {
            new RequestForm.MultipartBody(new ByteArrayInputStream(body), type, config, UNLIMITED, directory, UTF_8)
                    .read(-1);
        } catch (FormException malformed) {
            // none of these ends as it should
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
