package io.millrace.exchange;

/** A handler that never blocks and returns quickly: it runs on an I/O thread, which serves many connections. */
@FunctionalInterface
public interface NonBlockingHandler extends HttpHandler {}
