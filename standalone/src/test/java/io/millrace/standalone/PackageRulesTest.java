package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program that checks which package uses which, and the files inside packages, on small trees of sources. */
final class PackageRulesTest {

    private record Result(int status, String output) {}

    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin");

    @TempDir
    private static Path classes = Path.of("");

    @TempDir
    private Path root = Path.of("");

    @BeforeAll
    static void compile() throws Exception {
        Result result = run("javac", "-d", classes.toString(), "../checks/PackageRules.java");
        assertEquals(0, result.status(), result.output());
    }

    @Test
    void acceptsWhatTheRulesAllow() throws Exception {
        source("io", "Bytes", "");
        source("protocol", "Seam", "import io.millrace.io.Bytes;");
        Result result = check();
        assertEquals(0, result.status(), result.output());
    }

    @Test
    void namesBothFilesOfAForbiddenUse() throws Exception {
        source("io", "Bytes", "import io.millrace.http1.Parser;");
        source("http1", "Parser", "");
        Result result = check();
        assertEquals(1, result.status(), result.output());
        String java = "core/src/main/java/io/millrace/";
        assertTrue(
                result.output().contains(java + "io/Bytes.java:2 uses " + java + "http1/Parser.java"), result.output());
        assertTrue(
                result.output().contains("io.millrace.io may use only jfr, log, net, settings: connections know"),
                result.output());
    }

    @Test
    void findsACircleOfAllowedUses() throws Exception {
        source("servlet.form", "Form", "import io.millrace.servlet.cookie.Jar;");
        source("servlet.cookie", "Jar", "final class Use { io.millrace.servlet.model.Model model; }");
        source("servlet.model", "Model", "import io.millrace.servlet.form.Form;");
        Result result = check();
        assertEquals(1, result.status(), result.output());
        assertTrue(
                result.output()
                        .contains("io.millrace.servlet.cookie, io.millrace.servlet.form, io.millrace.servlet.model"),
                result.output());
    }

    @Test
    void takesCommentsAndStringsForNoUse() throws Exception {
        source(
                "io",
                "Bytes",
                "/* io.millrace.http1.Parser */ final class Text { String s = \"io.millrace.http1.Parser\"; }");
        source("http1", "Parser", "// io.millrace.exchange.Exchange");
        source("exchange", "Exchange", "");
        assertEquals(0, check().status());
    }

    @Test
    void wantsARuleForEveryPackage() throws Exception {
        source("attic", "Thing", "");
        Result result = check();
        assertEquals(1, result.status());
        assertTrue(result.output().contains("the package io.millrace.attic has no rule"), result.output());
    }

    @Test
    void keepsForeignTypesToThePackagesThatMayUseThem() throws Exception {
        source("connector.nio", "Loop", "import org.xnio.XnioWorker;");
        source("connector.bio", "Loop", "import java.lang.foreign.Arena;\nimport org.xnio.channels.Channel;");
        Result result = check();
        assertEquals(1, result.status(), result.output());
        String file = "core/src/main/java/io/millrace/connector/bio/Loop.java";
        assertTrue(result.output().contains(file + ":2 uses java.lang.foreign.Arena"), result.output());
        assertTrue(result.output().contains(file + ":3 uses org.xnio.channels.Channel"), result.output());
        assertTrue(result.output().contains("only connector.nio.. may: XNIO is"), result.output());
        assertTrue(result.output().contains("2 broken"), result.output());
    }

    @Test
    void keepsSingleTypesFromPackagesThatMayUseTheOthers() throws Exception {
        source("io", "Bytes", "");
        source("io", "Connection", "");
        source("io", "TransportOptions", "");
        source("servlet", "Carrier", "import io.millrace.io.Bytes;\nimport io.millrace.io.Connection;");
        source("servlet.model", "Port", "import io.millrace.io.TransportOptions;");
        Result result = check();
        assertEquals(1, result.status(), result.output());
        assertTrue(result.output().contains("Carrier.java:3 uses io.millrace.io.Connection"), result.output());
        assertTrue(result.output().contains("Port.java:2 uses io.millrace.io.TransportOptions"), result.output());
        assertTrue(result.output().contains("2 broken"), result.output());
    }

    @Test
    void findsCirclesOfFilesInsideAPackage() throws Exception {
        source("io", "Reader", "public final class Reader { Writer to; }");
        source("io", "Writer", "public final class Writer { Buffer from; }");
        source("io", "Buffer", "public final class Buffer { Reader reader; }");
        source("io", "Chunk", "/** Of a {@link Reader}. */ public final class Chunk { String s = \"Reader\"; }");
        String circle = "These files of io.millrace.io name each other, so that none can be understood alone: "
                + "Buffer Reader Writer";
        assertBroken(1, circle);
        tolerate("circle io: Buffer Reader");
        assertBroken(2, circle);
        tolerate("circle io: Buffer Reader Writer");
        assertKept();
    }

    @Test
    void wantsRowsToShrinkWithTheirCircles() throws Exception {
        source("io", "Reader", "public final class Reader { Writer to; }");
        source("io", "Writer", "public final class Writer { Reader from; }");
        tolerate("circle io: Buffer Reader Writer");
        assertBroken(1, "\"circle io: Buffer Reader Writer\" has shrunk; leave only Reader Writer");
        tolerate("circle io: Reader Writer", "circle http: Field Fields");
        assertBroken(1, "\"circle http: Field Fields\" no longer holds; remove it");
    }

    @Test
    void permitsAnInterfaceToNameItsImplementations() throws Exception {
        source("io", "Clock", "public interface Clock { static Clock system() { return new Ticks(); } }");
        source("io", "Ticks", "final class Ticks implements Runnable,\n    Clock { }");
        assertKept();
        source("io", "Ticks", "final class Ticks { Clock clock; }");
        assertBroken(1, "Clock Ticks");
    }

    @Test
    void permitsAClassToNameItsBuilder() throws Exception {
        source(
                "io",
                "Clock",
                "public final class Clock { static ClockBuilder builder() { return new ClockBuilder(); } }");
        source("io", "ClockBuilder", "public final class ClockBuilder { Clock build() { return new Clock(); } }");
        assertKept();
    }

    @Test
    void takesNamesThatAFileDeclaresOrImportsForOthers() throws Exception {
        source("io", "Reader", "public final class Reader { Writer to; record Writer() {} }");
        source("io", "Writer", "import io.millrace.http.Reader;\npublic final class Writer { Reader from; }");
        source("http", "Reader", "");
        tolerate();
        String output = check().output();
        assertTrue(!output.contains("name each other"), output);
    }

    @Test
    void wantsATypeWithOneUserInsideIt() throws Exception {
        source("io", "Reader", "public final class Reader { Buffer buffer; }");
        source("io", "Buffer", "final class Buffer { }");
        assertBroken(1, "Only io.Reader uses Buffer; nest");
        tolerate("single io.Reader: Buffer");
        assertKept();
        source("io", "Writer", "public final class Writer { Buffer buffer; }");
        assertBroken(1, "\"single io.Reader: Buffer\" no longer holds; remove it");
    }

    @Test
    void permitsTypesWithOneUserThatArePublicOrLongOrTested() throws Exception {
        source("io", "Reader", "public final class Reader { Buffer buffer; }");
        source("io", "Buffer", "public final class Buffer { }");
        assertKept();
        source("io", "Buffer", "final class Buffer {" + "\n".repeat(500) + "}");
        assertKept();
        source("io", "Buffer", "final class Buffer { }");
        Path test = root.resolve("core/src/test/java/io/millrace/io/BufferTest.java");
        Files.createDirectories(test.getParent());
        Files.writeString(test, "");
        assertKept();
    }

    private void tolerate(String... rows) throws IOException {
        Files.write(root.resolve("files.txt"), List.of(rows));
    }

    private void assertKept() throws Exception {
        Result result = check();
        assertEquals(0, result.status(), result.output());
    }

    private void assertBroken(int violations, String text) throws Exception {
        Result result = check();
        assertEquals(1, result.status(), result.output());
        assertTrue(result.output().contains(text), result.output());
        assertTrue(result.output().contains(violations + " broken"), result.output());
    }

    private void source(String name, String type, String code) throws IOException {
        Path file = root.resolve("core/src/main/java/io/millrace/" + name.replace('.', '/') + "/" + type + ".java");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "package io.millrace." + name + ";\n" + code + "\n");
    }

    private Result check() throws IOException, InterruptedException {
        Path files = root.resolve("files.txt");
        if (!Files.exists(files)) {
            tolerate();
        }
        return run(
                "java",
                "-cp",
                classes.toString(),
                "PackageRules",
                "../checks/packages.txt",
                files.toString(),
                root.toString());
    }

    private static Result run(String program, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(JAVA.resolve(program).toString()));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }
}
