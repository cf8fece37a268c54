package io.millrace.connector.apr.binding;

/** Who uses a socket. */
public interface Polled {

    /**
     * Something may be done with the socket: a set of {@link AprSocket#READABLE}, {@link AprSocket#WRITABLE} and {@link
     * AprSocket#BROKEN}. On the polling thread, perhaps without a reason.
     */
    void ready(int events);

    /** The socket is closed and its native memory gone. Called once, on the thread that came last out of it. */
    void gone();
}
