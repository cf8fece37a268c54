package io.millrace.connector.apr.binding;

/** The owner of a socket in a pollset. */
public interface Polled {

    /**
     * Reports the events of the socket: a set of {@link AprSocket#READABLE}, {@link AprSocket#WRITABLE} and {@link
     * AprSocket#BROKEN}. Called on the polling thread, possibly spuriously.
     */
    void ready(int events);

    /** The socket is closed and its native memory freed. Called once, on the last thread that left the socket. */
    void gone();
}
