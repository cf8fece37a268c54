package io.millrace.tls.openssl.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.millrace.natives.NativeLibrary;
import io.millrace.natives.Pointers;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * libssl, and libcrypto, on which it depends. Pointers are passed as longs, which the calling conventions do not distinguish.
 * Only functions that take nanoseconds, make no system call and never call back are bound as critical.
 */
final class OpenSslLibrary {

    /** The longest text that is read from the library's memory. */
    private static final int MAX_TEXT = 512;

    private static final NativeLibrary SSL = NativeLibrary.open("libssl.so.3", "millrace.openssl.library", "libssl3");

    private static final Map<Long, String> CONSTANTS = new ConcurrentHashMap<>();

    private OpenSslLibrary() {}

    static String name() {
        return SSL.name();
    }

    /** A function that returns an int. */
    static MethodHandle ofInt(String name, MemoryLayout... arguments) {
        return SSL.function(name, FunctionDescriptor.of(JAVA_INT, arguments));
    }

    /** A function that returns a long or a pointer. */
    static MethodHandle ofLong(String name, MemoryLayout... arguments) {
        return SSL.function(name, FunctionDescriptor.of(JAVA_LONG, arguments));
    }

    /** A function that returns void. */
    static MethodHandle procedure(String name, MemoryLayout... arguments) {
        return SSL.function(name, FunctionDescriptor.ofVoid(arguments));
    }

    /** A critical function. */
    static MethodHandle critical(String name, FunctionDescriptor type) {
        return SSL.function(name, type, Linker.Option.critical(false));
    }

    /** A critical function that copies from or to the Java heap. */
    static MethodHandle criticalOnHeap(String name, FunctionDescriptor type) {
        return SSL.function(name, type, Linker.Option.critical(true));
    }

    /** The text at an address; null for a null pointer. */
    static @Nullable String text(long address) {
        return address == 0 ? null : Pointers.at(address, MAX_TEXT).getString(0);
    }

    /** The same for texts that the library never frees or changes: names of versions and ciphers. Each is read once. */
    static String constant(long address) {
        return CONSTANTS.computeIfAbsent(address, known -> String.valueOf(text(known)));
    }

    /** For downcalls, which throw nothing but errors of the JVM. */
    static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException known ? known : new IllegalStateException(thrown);
    }
}
