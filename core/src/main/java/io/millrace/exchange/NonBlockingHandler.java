package io.millrace.exchange;

/** A handler that promises never to block and to be quick: it runs on the thread that serves many connections. */
@FunctionalInterface
public interface NonBlockingHandler extends HttpHandler {}
