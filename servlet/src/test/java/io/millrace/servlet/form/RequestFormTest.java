package io.millrace.servlet.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.ProtocolException;
import io.millrace.servlet.model.MultipartModel;
import io.millrace.servlet.settings.FormLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.servlet.ServletException;
import javax.servlet.http.Part;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RequestFormTest {

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String MULTIPART = "multipart/form-data; boundary=b";
    private static final String FIELD = "--b\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\nvalue\r\n";
    private static final String FILE = """
            --b\r
            Content-Disposition: form-data; name="up"; filename="x.bin"\r
            Content-Type: image/png\r
            \r
            0123456789\r
            """;

    @TempDir
    Path directory;

    private final class Request implements FormSource {
        private String method = "POST";
        private @Nullable String query;
        private @Nullable String contentType;
        private @Nullable Charset charset;
        private InputStream body = InputStream.nullInputStream();
        private long length = -1;
        private @Nullable MultipartModel multipart;
        private boolean taken;

        Request body(String type, String text) {
            contentType = type;
            body = new ByteArrayInputStream(text.getBytes(UTF_8));
            return this;
        }

        RequestForm form(FormLimits limits) {
            return new RequestForm(this, limits);
        }

        RequestForm form() {
            return form(FormLimits.DEFAULT);
        }

        @Override
        public boolean takesForm() {
            return method.equals("POST");
        }

        @Override
        public @Nullable String query() {
            return query;
        }

        @Override
        public Charset queryCharset() {
            return UTF_8;
        }

        @Override
        public @Nullable String contentType() {
            return contentType;
        }

        @Override
        public @Nullable Charset bodyCharset() {
            return charset;
        }

        @Override
        public long contentLength() {
            return length;
        }

        @Override
        public @Nullable InputStream body() {
            return taken ? null : body;
        }

        @Override
        public @Nullable MultipartModel multipart() {
            return multipart;
        }

        @Override
        public Path temporaryDirectory() {
            return directory;
        }
    }

    @Test
    void readsQueryThenBody() {
        Request request = new Request().body(FORM + "; charset=x", "a=2&b=3");
        request.query = "a=1";
        Parameters parameters = request.form().parameters();
        assertArrayEquals(new String[] {"1", "2"}, parameters.values("a"));
        assertEquals("3", parameters.value("b"));
    }

    @Test
    void readsABodyOfAnnouncedLength() {
        Request request = new Request().body(FORM, "a=2&b=3");
        request.length = 3;
        assertEquals(List.of("a"), List.copyOf(request.form().parameters().names()));
    }

    @Test
    void decodesTheBodyInTheRequestsCharsetOrLatin1() {
        Request latin = new Request().body(FORM, "a=%E4");
        assertEquals("ä", latin.form().parameters().value("a"));
        Request utf8 = new Request().body(FORM, "a=%C3%A4");
        utf8.charset = UTF_8;
        assertEquals("ä", utf8.form().parameters().value("a"));
    }

    @Test
    void readsTheBodyOnlyOfAPostedFormThatTheApplicationHasNotRead() {
        Request put = new Request().body(FORM, "a=1");
        put.method = "PUT";
        Request json = new Request().body("application/json", "a=1");
        Request taken = new Request().body(FORM, "a=1");
        taken.taken = true;
        Request unconfigured = new Request().body(MULTIPART, FIELD + "--b--");
        for (Request request : List.of(put, json, taken, unconfigured)) {
            assertTrue(request.form().parameters().names().isEmpty());
        }
    }

    /** As in Tomcat, where an error page may ask for parameters. */
    @Test
    void refusesAFormOnceAndThenHasTheParametersOfTheQuery() {
        Request large = new Request().body(FORM, "a=1234");
        large.query = "q=1";
        RequestForm form = large.form(new FormLimits(-1, 5, -1, -1));
        FormException refused = assertThrows(FormException.class, form::parameters);
        assertEquals(List.of("q"), List.copyOf(form.parameters().names()));
        assertSame(refused, form.refusal());
    }

    @Test
    void refusesAnUploadAtEachCallButHasTheParametersOfTheQuery() {
        Request large = upload(FIELD + FILE, 5, -1, 0);
        large.query = "q=1";
        RequestForm form = large.form();
        FormException refused = assertThrows(FormException.class, form::parts);
        assertEquals(List.of("q"), List.copyOf(form.parameters().names()));
        assertSame(refused, assertThrows(FormException.class, form::parts));
    }

    @Test
    void hasTheParametersBeforeTheOneThatIsTooMany() {
        Request many = new Request().body(FORM, "a=1&b=2&c=3");
        RequestForm form = many.form(new FormLimits(2, -1, -1, -1));
        assertEquals(400, assertThrows(FormException.class, form::parameters).status());
        assertEquals(List.of("a", "b"), List.copyOf(form.parameters().names()));
    }

    @Test
    void refusesAFormLargerThanMaxPostSize() {
        FormLimits limits = new FormLimits(-1, 5, -1, -1);
        Request announced = new Request().body(FORM, "a=1234");
        announced.length = 6;
        for (Request request : List.of(announced, new Request().body(FORM, "a=1234"))) {
            RequestForm form = request.form(limits);
            FormException refused = assertThrows(FormException.class, form::parameters);
            assertEquals(413, refused.status());
            assertTrue(refused.getMessage().contains("maxPostSize"));
        }
        assertEquals(
                "123",
                new Request().body(FORM, "a=123").form(limits).parameters().value("a"));
    }

    @Test
    void makesFieldsOfAMultipartBodyParametersAndPartsOfAll() throws Exception {
        RequestForm form = upload(FIELD + FILE, -1, -1, 100).form();
        assertEquals("value", form.parameters().value("f"));
        assertNull(form.parameters().value("up"));
        assertEquals(2, form.parts().size());
        Part file = List.copyOf(form.parts()).get(1);
        assertEquals("up", file.getName());
        assertEquals("x.bin", file.getSubmittedFileName());
        assertEquals("image/png", file.getContentType());
        assertEquals(10, file.getSize());
        assertEquals("image/png", file.getHeader("content-type"));
        assertEquals("0123456789", new String(file.getInputStream().readAllBytes(), ISO_8859_1));
        assertEquals(0, filesOnDisk());
    }

    @Test
    void keepsFilesOnDiskPastTheThresholdUntilTheRequestEnds() throws Exception {
        RequestForm form = upload(FIELD + FILE, -1, -1, 9).form();
        Part file = List.copyOf(form.parts()).get(1);
        assertEquals(1, filesOnDisk());
        assertEquals("0123456789", new String(file.getInputStream().readAllBytes(), ISO_8859_1));
        form.close();
        assertEquals(0, filesOnDisk());
    }

    @Test
    void writesAPartWhereTheApplicationWantsIt() throws Exception {
        for (int threshold : new int[] {0, 100}) {
            RequestForm form = upload(FILE, -1, -1, threshold).form();
            Part file = form.parts().iterator().next();
            file.write("kept-" + threshold);
            file.write(directory.resolve("again-" + threshold).toString());
            form.close();
            assertEquals("0123456789", Files.readString(directory.resolve("kept-" + threshold)));
            assertEquals("0123456789", Files.readString(directory.resolve("again-" + threshold)));
        }
        assertEquals(4, filesOnDisk());
    }

    /** Spring 5 makes its own exception of one with these words, and an error of the server of every other. */
    @Test
    void saysInSpringsWordsThatAnUploadIsTooLarge() {
        for (RequestForm form :
                List.of(upload(FILE, 9, -1, 0).form(), upload(FILE, -1, 100, 0).form())) {
            assertRefused(413, "size", form);
            assertRefused(413, "exceed", form);
        }
    }

    @Test
    void leavesNothingOnDiskWhenItRefuses() {
        FormLimits fields = new FormLimits(-1, 4, 50, 512);
        assertRefused(413, "max-file-size", upload(FILE, 9, -1, 0).form());
        assertRefused(413, "max-request-size", upload(FILE, -1, 100, 0).form());
        assertRefused(413, "maxPostSize", upload(FILE + FIELD, -1, -1, 0).form(fields));
        assertRefused(413, "maxPartCount", upload(FILE + FILE, -1, -1, 0).form(new FormLimits(-1, -1, 1, 512)));
        Request cut = upload(FILE, -1, -1, 0).body(MULTIPART, FILE);
        assertMalformed("ended before", cut);
        Request unnamed = upload(FILE, -1, -1, 0);
        unnamed.contentType = "multipart/form-data";
        assertMalformed("boundary", unnamed);
        assertEquals(0, filesOnDisk());
    }

    @Test
    void leavesNothingOnDiskWhenTheConnectionBreaks() {
        Request request = upload(FILE, -1, -1, 0);
        InputStream begin =
                new ByteArrayInputStream(FILE.substring(0, FILE.length() - 5).getBytes(ISO_8859_1));
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("reset");
            }

            @Override
            public int read(byte[] to, int offset, int length) throws IOException {
                return read();
            }
        };
        request.body = new SequenceInputStream(begin, broken);
        assertThrows(IOException.class, request.form()::parts);
        assertEquals(0, filesOnDisk());
    }

    @Test
    void tellsWhatIsMissingWhenThereAreNoParts() {
        assertThrows(ServletException.class, new Request().body(FORM, "a=b").form()::parts);
        assertThrows(
                IllegalStateException.class,
                new Request().body(MULTIPART, FIELD + "--b--").form()::parts);
    }

    @Test
    void decodesNamesAsUtf8IfTheyAreAndAsLatin1Otherwise() throws Exception {
        String part = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"ä\"\r\n\r\n\r\n";
        assertEquals(
                "ä", upload(part, -1, -1, 0).form().parts().iterator().next().getSubmittedFileName());
        Request latin = upload(part, -1, -1, 0);
        latin.body = new ByteArrayInputStream((part + "--b--").getBytes(ISO_8859_1));
        assertEquals("ä", latin.form().parts().iterator().next().getSubmittedFileName());
    }

    @Test
    void streamsAHugeUploadToDisk() throws Exception {
        Request request = upload("", -1, -1, 0);
        byte[] head = FILE.substring(0, FILE.indexOf("0123")).getBytes(ISO_8859_1);
        long size = 300L << 20;
        request.body = new Huge(head, size, "\r\n--b--".getBytes(ISO_8859_1));
        RequestForm form = request.form();
        assertEquals(size, form.parts().iterator().next().getSize());
        form.close();
        assertEquals(0, filesOnDisk());
    }

    /** A head, then more bytes than should be in memory at once, then a tail. */
    private static final class Huge extends InputStream {
        private final InputStream head;
        private final InputStream tail;
        private long left;

        Huge(byte[] head, long size, byte[] tail) {
            this.head = new ByteArrayInputStream(head);
            this.tail = new ByteArrayInputStream(tail);
            left = size;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            int n = head.read(to, offset, length);
            if (n >= 0) {
                return n;
            }
            if (left == 0) {
                return tail.read(to, offset, length);
            }
            int filled = (int) Math.min(left, length);
            Arrays.fill(to, offset, offset + filled, (byte) '\r');
            left -= filled;
            return filled;
        }
    }

    /** IllegalStateException stands for limits alone where there is a choice (Servlet 3.1, getParts). */
    private static void assertMalformed(String reason, Request request) {
        RequestForm form = request.form();
        for (int i = 0; i < 2; i++) {
            ProtocolException refused = assertThrows(ProtocolException.class, form::parts);
            assertEquals(400, refused.status());
            assertTrue(String.valueOf(refused.getMessage()).contains(reason), refused.getMessage());
        }
        assertTrue(form.parameters().names().isEmpty());
    }

    private static void assertRefused(int status, String reason, RequestForm form) {
        FormException refused = assertThrows(FormException.class, form::parts);
        assertEquals(status, refused.status());
        assertTrue(refused.getMessage().contains(reason), refused.getMessage());
        assertFalse(refused.getMessage().isEmpty());
    }

    private Request upload(String parts, long maxFile, long maxRequest, int threshold) {
        Request request = new Request().body(MULTIPART, parts + "--b--");
        request.multipart = new MultipartModel("", maxFile, maxRequest, threshold);
        return request;
    }

    private int filesOnDisk() {
        try (Stream<Path> files = Files.list(directory)) {
            return (int) files.count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
