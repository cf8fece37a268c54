package io.millrace.connector.nio;

/** What is said when XNIO's inside is not as expected. */
final class OtherXnio {

    private OtherXnio() {}

    static IllegalStateException found(ReflectiveOperationException difference) {
        return new IllegalStateException(
                "this is not the XNIO that the nio transport was written for (3.8.17): " + difference.getMessage(),
                difference);
    }
}
