package io.millrace.connector.apr.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.invoke.MethodHandle;

/** Numbers of open files, of our own: nobody else closes what they stand for. */
public final class Descriptors {

    /** No descriptor is free, or the number was none. */
    public static final int NONE = -1;

    private static final MethodHandle DUP = AprLibrary.ofC("dup", JAVA_INT);
    private static final MethodHandle CLOSE = AprLibrary.ofC("close", JAVA_INT);

    private Descriptors() {}

    /** One more number for an open file, to be closed; {@link #NONE} if there is none. */
    public static int duplicate(int descriptor) {
        try {
            return (int) DUP.invokeExact(descriptor);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }

    /** Closes one that was duplicated here. */
    public static void close(int descriptor) {
        try {
            int ignored = (int) CLOSE.invokeExact(descriptor);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }
}
