package io.millrace.connector.bio;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the peers of all connections, on one thread of its own, so that a connection that waits for its peer needs none.
 * Each interest is told once and then forgotten.
 */
final class Watcher implements Runnable {

    private final String name;
    private final Selector selector;
    private volatile @Nullable Runnable closing;

    Watcher(String name) throws IOException {
        this.name = name;
        selector = Selector.open();
        new Thread(this, name + "-watcher").start();
    }

    /** A channel that is not waited for yet. */
    SelectionKey register(SocketChannel channel, BioConnection connection) throws IOException {
        return channel.register(selector, 0, connection);
    }

    /** Any thread. A closed channel tells its owner itself. */
    void await(SelectionKey key, int operation) {
        try {
            key.interestOpsOr(operation);
            selector.wakeup();
        } catch (CancelledKeyException closed) {
            // whoever closed it tells all who wait
        }
    }

    /** A channel was closed: only now its descriptor goes. */
    void forgetClosed() {
        selector.wakeup();
    }

    /**
     * Ends.
     *
     * @param ended called by the watcher's thread as its last act
     */
    void close(Runnable ended) {
        closing = ended;
        selector.wakeup();
    }

    @Override
    public void run() {
        try (selector) {
            watch();
        } catch (IOException | RuntimeException | Error broken) {
            BioLog.LOG.watcherEnded(name, broken);
        }
        Runnable told = closing;
        if (told != null) {
            told.run();
        }
    }

    private void watch() throws IOException {
        try {
            while (closing == null) {
                selector.select(Watcher::tell);
            }
        } catch (IOException | RuntimeException | Error broken) {
            for (SelectionKey key : selector.keys()) {
                ((BioConnection) key.attachment()).close(broken);
            }
            throw broken;
        }
    }

    private static void tell(SelectionKey key) {
        int ready;
        try {
            ready = key.readyOps();
            key.interestOpsAnd(~ready); // before telling: who is told may wait anew at once
        } catch (CancelledKeyException closed) {
            return;
        }
        ((BioConnection) key.attachment()).ready(ready);
    }
}
