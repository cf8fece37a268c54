package io.millrace.io;

/**
 * The blocker of a connection with several streams: its reader must not block even if it runs on a worker, as it does
 * after a TLS handshake.
 */
record SharedReaderBlocker(Blocker below) implements Blocker {

    @Override
    public boolean mayBlock() {
        return false;
    }

    @Override
    public boolean mayBlockWorker() {
        return false;
    }

    @Override
    public void handedOver() {
        below.handedOver();
    }
}
