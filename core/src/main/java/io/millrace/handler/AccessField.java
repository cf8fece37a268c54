package io.millrace.handler;

/** One part of the lines of an access log. For one thread at a time. */
@FunctionalInterface
interface AccessField {

    void append(AccessEntry entry, LineBuffer line);
}
