package io.millrace.proxyprotocol;

/** Why a connection was closed before its protocol began. */
enum ProxyHeaderRefusal {
    UNTRUSTED,
    MISSING,
    BAD,
    LATE
}
