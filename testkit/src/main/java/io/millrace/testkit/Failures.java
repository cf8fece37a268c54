package io.millrace.testkit;

import java.util.stream.Stream;

/** Throwables as in production, which tests throw where the server must survive them. */
public final class Failures {

    private Failures() {}

    /** One of each kind. */
    public static Stream<Throwable> all() {
        return Stream.concat(
                errors(),
                Stream.of(
                        new IllegalStateException("planted by the test"),
                        new Exception("planted by the test: checked, thrown by code in another language")));
    }

    /** The errors. */
    public static Stream<Error> errors() {
        return Stream.of(
                new OutOfMemoryError("planted by the test: unable to create native thread"),
                new NoClassDefFoundError("planted by the test"),
                new StackOverflowError("planted by the test"),
                new AssertionError("planted by the test"));
    }

    /** Throws it, whether or not it is declared. */
    public static void sneak(Throwable thrown) {
        Failures.<RuntimeException>raise(thrown);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the cast is not made at run time
    private static <T extends Throwable> void raise(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
