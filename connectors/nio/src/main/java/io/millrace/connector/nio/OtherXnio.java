package io.millrace.connector.nio;

/** The error for an XNIO whose internals are not those of the expected version. */
final class OtherXnio {

    private OtherXnio() {}

    static IllegalStateException found(ReflectiveOperationException difference) {
        return new IllegalStateException(
                "this is not the XNIO that the nio transport was written for (3.8.17): " + difference.getMessage(),
                difference);
    }
}
