package io.millrace.connector.apr.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.millrace.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * libapr-1 and the functions that concern it as a whole. Pointers are passed as longs, which the calling conventions do not
 * distinguish. Most functions make system calls, so none is bound as critical: a garbage collection would wait for it.
 */
final class AprLibrary {

    private static final NativeLibrary APR = NativeLibrary.open("libapr-1.so.0", "millrace.apr.library", "libapr1");
    private static final MethodHandle VERSION = procedure("apr_version", JAVA_LONG);
    private static final MethodHandle INITIALIZE = function("apr_initialize");
    private static final MethodHandle STRERROR =
            APR.function("apr_strerror", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));

    private AprLibrary() {}

    /** A function that returns an apr_status_t. */
    static MethodHandle function(String name, MemoryLayout... arguments) {
        return APR.function(name, FunctionDescriptor.of(JAVA_INT, arguments));
    }

    /** A function that returns void. */
    static MethodHandle procedure(String name, MemoryLayout... arguments) {
        return APR.function(name, FunctionDescriptor.ofVoid(arguments));
    }

    /** A function of the C library that returns -1 and sets errno if it fails. */
    static MethodHandle ofC(String name, MemoryLayout... arguments) {
        return NativeLibrary.ofC().function(name, FunctionDescriptor.of(JAVA_INT, arguments));
    }

    /** The version, which must have this major number, and at least this minor number. */
    static String version(int major, int minMinor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment found = arena.allocate(Layouts.VERSION);
            VERSION.invokeExact(found.address());
            int[] numbers = new int[3];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = found.getAtIndex(JAVA_INT, i);
            }
            String text = numbers[0] + "." + numbers[1] + "." + numbers[2];
            if (numbers[0] != major || numbers[1] < minMinor) {
                throw new IllegalStateException(APR.name() + " is APR " + text + "; required is " + major + "."
                        + minMinor + " or a later " + major + ".x");
            }
            return text;
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** Initializes APR; returns the status. */
    static int initialize() {
        try {
            return (int) INITIALIZE.invokeExact();
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** The library's description of a status. */
    static String describe(int status) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(256);
            long ignored = (long) STRERROR.invokeExact(status, text.address(), text.byteSize());
            return text.getString(0);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** For downcalls, which throw nothing but errors of the JVM. */
    static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException known ? known : new IllegalStateException(thrown);
    }
}
