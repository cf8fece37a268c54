package io.millrace.natives;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A shared library of the system, which stays loaded until the process ends. */
@SuppressWarnings("restricted") // the restricted methods are called here, and in Pointers
public final class NativeLibrary {

    private final String name;
    private final SymbolLookup symbols;

    private NativeLibrary(String name, SymbolLookup symbols) {
        this.name = name;
        this.symbols = symbols;
    }

    /**
     * Loads a library.
     *
     * @param soname the name for the dynamic linker, such as {@code libapr-1.so.0}
     * @param property a system property that names a file instead
     * @param debianPackage the Debian package that contains it, for the error message
     * @throws IllegalStateException if it cannot be loaded; the message says what to do
     */
    public static NativeLibrary open(String soname, String property, String debianPackage) {
        String file = System.getProperty(property);
        try {
            return new NativeLibrary(file == null ? soname : file, lookup(soname, file));
        } catch (IllegalArgumentException missing) {
            throw new IllegalStateException(
                    file == null
                            ? "the library " + soname + " is not installed. Install it (Debian: apt-get install "
                                    + debianPackage + "), or name its file by -D" + property + "=FILE"
                            : property + " is " + file
                                    + ", which cannot be loaded. Correct it, or leave it out to use the" + " system's "
                                    + soname,
                    missing);
        } catch (IllegalCallerException refused) {
            throw new IllegalStateException(
                    "access to native libraries is denied. Start Java with --enable-native-access=ALL-UNNAMED",
                    refused);
        }
    }

    /** The C library of this process. */
    public static NativeLibrary ofC() {
        return new NativeLibrary("the C library", Linker.nativeLinker().defaultLookup());
    }

    private static SymbolLookup lookup(String soname, @Nullable String file) {
        return file == null
                ? SymbolLookup.libraryLookup(soname, Arena.global())
                : SymbolLookup.libraryLookup(Path.of(file), Arena.global());
    }

    /** The name or file from which it was loaded. */
    public String name() {
        return name;
    }

    /**
     * A handle for one of its functions.
     *
     * @throws IllegalStateException if there is no function of this name
     */
    public MethodHandle function(String function, FunctionDescriptor type, Linker.Option... options) {
        MemorySegment address = symbols.find(function)
                .orElseThrow(() -> new IllegalStateException(
                        name + " has no function " + function + "; it is too old, or a different library"));
        return Linker.nativeLinker().downcallHandle(address, type, options);
    }

    /**
     * A function pointer with which a library calls Java, valid until the process ends. The target must not throw: that
     * would terminate the process.
     */
    public static MemorySegment callback(MethodHandle target, FunctionDescriptor type) {
        return Linker.nativeLinker().upcallStub(target, type, Arena.global());
    }
}
