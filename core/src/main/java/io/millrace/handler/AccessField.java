package io.millrace.handler;

/** One field of the lines of an access log. Confined to the writer thread. */
@FunctionalInterface
interface AccessField {

    void append(AccessEntry entry, LineBuffer line);
}
