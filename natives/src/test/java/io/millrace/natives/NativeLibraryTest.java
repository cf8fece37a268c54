package io.millrace.natives;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.FunctionDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A library of the system … */
final class NativeLibraryTest {

    private static final String PROPERTY = "millrace.test.library";

    @AfterEach
    void clear() {
        System.clearProperty(PROPERTY);
    }

    @Test
    void namesThePackageToInstallIfItIsMissing() {
        assertEquals(
                "the library libno-such-thing.so.0 is not installed. Install it (Debian: apt-get install libthing0), or name"
                        + " its file by -Dmillrace.test.library=FILE",
                refusal("libno-such-thing.so.0"));
    }

    @Test
    void namesThePropertyThatNamesNoLibrary() {
        System.setProperty(PROPERTY, "/nowhere/libthing.so");
        String said = refusal("libapr-1.so.0");
        assertTrue(said.startsWith("millrace.test.library is /nowhere/libthing.so, which cannot be loaded."), said);
    }

    /** The file of a library that this process has, as the kernel names it. */
    @Test
    void isTheFileThatThePropertyNames() throws Exception {
        String libc = Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.endsWith("/libc.so.6"))
                .map(line -> line.substring(line.indexOf('/')))
                .findFirst()
                .orElseThrow();
        System.setProperty(PROPERTY, libc);
        NativeLibrary library = NativeLibrary.open("libno-such-thing.so.0", PROPERTY, "libthing0");
        assertEquals(libc, library.name());
        assertNotNull(library.function("abs", FunctionDescriptor.of(JAVA_INT, JAVA_INT)));
    }

    @Test
    void namesTheFunctionThatItLacks() {
        NativeLibrary library = NativeLibrary.open("libapr-1.so.0", PROPERTY, "libapr1");
        IllegalStateException refused = assertThrows(
                IllegalStateException.class, () -> library.function("apr_no_such", FunctionDescriptor.of(JAVA_INT)));
        assertTrue(String.valueOf(refused.getMessage()).startsWith("libapr-1.so.0 has no function apr_no_such"));
    }

    @Test
    void isCalled() throws Throwable {
        var abs = NativeLibrary.ofC().function("abs", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        assertEquals(7, (int) abs.invokeExact(-7));
    }

    private static String refusal(String soname) {
        return String.valueOf(
                assertThrows(IllegalStateException.class, () -> NativeLibrary.open(soname, PROPERTY, "libthing0"))
                        .getMessage());
    }
}
