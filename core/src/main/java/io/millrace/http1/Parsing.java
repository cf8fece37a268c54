package io.millrace.http1;

/** The result of parsing. */
enum Parsing {
    NEED_MORE,
    COMPLETE,
    REFUSED
}
