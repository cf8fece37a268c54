package io.millrace.testkit;

import java.util.stream.Stream;

/** What is thrown in production, to be thrown by tests at places that must survive it. */
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

    /** Those that nobody expects. */
    public static Stream<Error> errors() {
        return Stream.of(
                new OutOfMemoryError("planted by the test: unable to create native thread"),
                new NoClassDefFoundError("planted by the test"),
                new StackOverflowError("planted by the test"),
                new AssertionError("planted by the test"));
    }

    /** Throws it, declared or not. */
    public static void sneak(Throwable thrown) {
        Failures.<RuntimeException>raise(thrown);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the cast is not made at run time
    private static <T extends Throwable> void raise(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
