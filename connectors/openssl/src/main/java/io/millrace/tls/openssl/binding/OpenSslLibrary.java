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
 * libssl, and libcrypto, which it brings along. Pointers are passed as longs, which the calling conventions do not tell
 * apart. Critical are only functions that take nanoseconds, make no system call and never call back.
 */
final class OpenSslLibrary {

    /** The longest text that is read of what the library gives. */
    private static final int MOST_TEXT = 512;

    private static final NativeLibrary SSL = NativeLibrary.open("libssl.so.3", "millrace.openssl.library", "libssl3");

    private static final Map<Long, String> CONSTANTS = new ConcurrentHashMap<>();

    private OpenSslLibrary() {}

    static String name() {
        return SSL.name();
    }

    /** A function that answers an int. */
    static MethodHandle ofInt(String name, MemoryLayout... arguments) {
        return SSL.function(name, FunctionDescriptor.of(JAVA_INT, arguments));
    }

    /** A function that answers a long or a pointer. */
    static MethodHandle ofLong(String name, MemoryLayout... arguments) {
        return SSL.function(name, FunctionDescriptor.of(JAVA_LONG, arguments));
    }

    /** A function that answers nothing. */
    static MethodHandle procedure(String name, MemoryLayout... arguments) {
        return SSL.function(name, FunctionDescriptor.ofVoid(arguments));
    }

    /** A short one. */
    static MethodHandle critical(String name, FunctionDescriptor type) {
        return SSL.function(name, type, Linker.Option.critical(false));
    }

    /** A short one that copies to or from arrays of Java. */
    static MethodHandle criticalOnHeap(String name, FunctionDescriptor type) {
        return SSL.function(name, type, Linker.Option.critical(true));
    }

    /** The text at an address; null for no address. */
    static @Nullable String text(long address) {
        return address == 0 ? null : Pointers.at(address, MOST_TEXT).getString(0);
    }

    /** The same for what the library never frees or changes: names of versions and ciphers. Each is read once. */
    static String constant(long address) {
        return CONSTANTS.computeIfAbsent(address, known -> String.valueOf(text(known)));
    }

    /** No downcall throws, but for errors of the JVM. */
    static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException known ? known : new IllegalStateException(thrown);
    }
}
