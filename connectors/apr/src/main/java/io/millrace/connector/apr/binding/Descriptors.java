package io.millrace.connector.apr.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.invoke.MethodHandle;

/** Duplicated file descriptors, which no other code closes. */
public final class Descriptors {

    /** No descriptor is free, or the given one is not open. */
    public static final int NONE = -1;

    private static final MethodHandle DUP = AprLibrary.ofC("dup", JAVA_INT);
    private static final MethodHandle CLOSE = AprLibrary.ofC("close", JAVA_INT);

    private Descriptors() {}

    /** Duplicates the descriptor of an open file. The caller closes the result; {@link #NONE} if it fails. */
    public static int duplicate(int descriptor) {
        try {
            return (int) DUP.invokeExact(descriptor);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }

    /** Closes a descriptor that {@link #duplicate} returned. */
    public static void close(int descriptor) {
        try {
            int ignored = (int) CLOSE.invokeExact(descriptor);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }
}
