package io.millrace.io.socket;

/** A thread that polls for many connections. */
public final class IoThread extends Thread {

    /** A thread that has not been started. */
    public IoThread(Runnable loop, String name) {
        super(loop, name);
    }
}
