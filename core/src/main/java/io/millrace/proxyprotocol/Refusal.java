package io.millrace.proxyprotocol;

/** Why a connection was closed before its protocol began. */
enum Refusal {
    UNTRUSTED,
    MISSING,
    BAD,
    LATE
}
