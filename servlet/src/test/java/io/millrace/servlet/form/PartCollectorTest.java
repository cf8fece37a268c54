package io.millrace.servlet.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.http.Headers;
import io.millrace.servlet.model.MultipartModel;
import io.millrace.servlet.settings.FormLimits;
import java.nio.charset.Charset;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The collector of parts … */
final class PartCollectorTest {

    private static final String DISPOSITION = "form-data; name=\"f\"; filename=\"Grüße.txt\"";

    @TempDir
    Path directory;

    @Test
    void readsFieldsAsUtf8UnlessTheRequestHasAnEncoding() throws Exception {
        assertEquals(DISPOSITION, disposition(null, DISPOSITION.getBytes(UTF_8)));
        assertEquals(DISPOSITION, disposition(UTF_8, DISPOSITION.getBytes(UTF_8)));
        assertEquals(DISPOSITION, disposition(ISO_8859_1, DISPOSITION.getBytes(ISO_8859_1)));
    }

    @Test
    void readsFieldsThatAreNotUtf8AsIso88591() throws Exception {
        assertEquals(DISPOSITION, disposition(null, DISPOSITION.getBytes(ISO_8859_1)));
    }

    /** What {@code Part.getHeader} returns; the file name must agree with it. */
    private String disposition(@Nullable Charset charset, byte[] sent) {
        PartCollector collector =
                new PartCollector(MultipartModel.undeclared(-1), new FormLimits(-1, -1, -1, -1), directory, charset);
        collector.begin(new Headers().add("Content-Disposition", new String(sent, ISO_8859_1)));
        UploadPart part = collector.parts().get(0);
        assertEquals("Grüße.txt", part.getSubmittedFileName());
        return String.valueOf(part.getHeader("Content-Disposition"));
    }
}
