package io.millrace.natives;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A shared library of the system, loaded for as long as the process lives. */
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
     * @param soname by which the system's loader finds it, such as {@code libapr-1.so.0}
     * @param property a system property that names its file instead
     * @param debianPackage what to install if it is missing
     * @throws IllegalStateException if it can't be loaded, saying what to do
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
                    "Java was told to refuse native libraries. Start it with --enable-native-access=ALL-UNNAMED",
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

    /** The name or file it was loaded by. */
    public String name() {
        return name;
    }

    /**
     * One of its functions.
     *
     * @throws IllegalStateException if it has none of this name
     */
    public MethodHandle function(String function, FunctionDescriptor type, Linker.Option... options) {
        MemorySegment address = symbols.find(function)
                .orElseThrow(() -> new IllegalStateException(
                        name + " has no function " + function + ": it is too old, or another library"));
        return Linker.nativeLinker().downcallHandle(address, type, options);
    }

    /**
     * A function pointer by which a library calls Java, for as long as the process lives. What it is bound to must not throw:
     * that would end the process.
     */
    public static MemorySegment callback(MethodHandle target, FunctionDescriptor type) {
        return Linker.nativeLinker().upcallStub(target, type, Arena.global());
    }
}
