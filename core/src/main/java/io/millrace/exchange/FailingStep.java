package io.millrace.exchange;

/** A step that fails the exchange with an exception that was thrown elsewhere. */
record FailingStep(Throwable cause) implements NonBlockingHandler {

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        if (cause instanceof Error error) {
            throw error;
        }
        throw cause instanceof Exception exception ? exception : new IllegalStateException(cause);
    }
}
