package io.millrace.http1;

/** How far a parser has come. */
enum Parsing {
    NEED_MORE,
    COMPLETE,
    REFUSED
}
