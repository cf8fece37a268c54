package io.millrace.maven;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Which Servlet API the classes of an application name, by the texts in their files. */
enum NamedApi {
    /** Up to Java EE 8. */
    JAVAX("javax.servlet"),
    /** Since Jakarta EE 9. */
    JAKARTA("jakarta.servlet"),
    /** Only pages and files, or classes that know no servlets. */
    NONE("neither javax.servlet nor jakarta.servlet");

    private final String shown;

    NamedApi(String shown) {
        this.shown = shown;
    }

    /** For people. */
    String shown() {
        return shown;
    }

    /**
     * Reads directories of classes, and the classes of WARs; not libraries, some of which are for both. Javax wins where both are named:
     * such classes choose at run time.
     */
    static NamedApi of(List<Path> places) throws IOException {
        boolean jakarta = false;
        for (Path place : places) {
            NamedApi found = Files.isDirectory(place) ? inDirectory(place) : inWar(place);
            if (found == JAVAX) {
                return JAVAX;
            }
            jakarta |= found == JAKARTA;
        }
        return jakarta ? JAKARTA : NONE;
    }

    private static NamedApi inDirectory(Path directory) throws IOException {
        NamedApi all = NONE;
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".class")).toList()) {
                all = all.with(in(Files.readAllBytes(file)));
            }
        }
        return all;
    }

    private static NamedApi inWar(Path war) throws IOException {
        NamedApi all = NONE;
        try (ZipFile zip = new ZipFile(war.toFile())) {
            for (ZipEntry entry : zip.stream().<ZipEntry>map(each -> each).toList()) {
                if (entry.getName().startsWith("WEB-INF/classes/")
                        && entry.getName().endsWith(".class")) {
                    try (InputStream in = zip.getInputStream(entry)) {
                        all = all.with(in(in.readAllBytes()));
                    }
                }
            }
        }
        return all;
    }

    private NamedApi with(NamedApi other) {
        return this == JAVAX || other == NONE ? this : other;
    }

    private static NamedApi in(byte[] classFile) {
        String text = new String(classFile, StandardCharsets.ISO_8859_1);
        return text.contains("javax/servlet/") ? JAVAX : text.contains("jakarta/servlet/") ? JAKARTA : NONE;
    }
}
