package io.millrace.connector.nio2;

/** A thread that polls for a channel group and runs what its connections do. */
final class IoThread extends Thread {

    IoThread(Runnable pollingAndMore, String name) {
        super(pollingAndMore, name);
    }

    /** Is the caller one? */
    static boolean isCurrent() {
        return Thread.currentThread() instanceof IoThread;
    }
}
