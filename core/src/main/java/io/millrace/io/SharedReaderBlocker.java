package io.millrace.io;

/**
 * The blocker of a connection with several streams: its reader must not block where it got onto a worker either, as it does after a
 * handshake.
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
