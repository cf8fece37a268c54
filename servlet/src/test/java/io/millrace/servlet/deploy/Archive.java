package io.millrace.servlet.deploy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A WAR or jar being put together by a test. */
public final class Archive {

    private final Map<String, byte[]> entries = new LinkedHashMap<>();

    public Archive with(String path, String text) {
        return with(path, text.getBytes(StandardCharsets.UTF_8));
    }

    public Archive with(String path, byte[] bytes) {
        entries.put(path, bytes);
        return this;
    }

    /**
     * Adds files.
     *
     * @param prefix WEB-INF/classes/ or nothing
     */
    public Archive with(String prefix, Map<String, byte[]> files) {
        files.forEach((path, bytes) -> with(prefix + path, bytes));
        return this;
    }

    Archive webXml(String elements) {
        return with("WEB-INF/web.xml", webApp(elements));
    }

    Archive classes(Map<String, byte[]> classFiles) {
        return with("WEB-INF/classes/", classFiles);
    }

    Archive library(String name, Archive jar) {
        return with("WEB-INF/lib/" + name, jar.bytes());
    }

    public static String webApp(String elements) {
        return "<web-app version=\"3.1\" xmlns=\"http://xmlns.jcp.org/xml/ns/javaee\">\n" + elements + "\n</web-app>";
    }

    /** A jar with a web-fragment.xml. */
    static Archive fragment(String elements) {
        return new Archive()
                .with("META-INF/web-fragment.xml", "<web-fragment version=\"3.1\">\n" + elements + "\n</web-fragment>");
    }

    byte[] bytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    public Path writeTo(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            write(out);
        }
        return file;
    }

    private void write(OutputStream out) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
            }
        }
    }
}
