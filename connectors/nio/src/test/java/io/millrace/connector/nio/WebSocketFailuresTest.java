package io.millrace.connector.nio;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.io.BufferPool;
import io.millrace.io.Completion;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.SocketLink;
import io.millrace.testkit.WebSocketContractClient;
import io.millrace.websocket.DeflateMode;
import io.millrace.websocket.MessageOutput;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketHandler;
import io.millrace.websocket.WebSocketListener;
import io.millrace.websocket.WebSocketOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When sending on a WebSocket fails, it … */
@Timeout(120)
class WebSocketFailuresTest {

    @TempDir
    private Path directory;

    /** Compressing 2 GB requires 1 GB of heap at once: without it, the send fails. */
    @Test
    void tellsTheSenderOfAMessageForWhichThereIsNoMemory() throws Exception {
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        ByteBuffer enormous = enormous();
        assertTrue(run(told, connection -> connection.sendBinary(enormous, failure -> told.complete(true))));
    }

    private ByteBuffer enormous() throws IOException {
        Path sparse = directory.resolve("sparse");
        try (FileChannel file = FileChannel.open(
                sparse, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return file.map(FileChannel.MapMode.READ_WRITE, 0, Integer.MAX_VALUE);
        }
    }

    /** The completion of a part acquires a lock that another sender of parts holds: there is no deadlock. */
    @Test
    void holdsNoLockWhileItTellsTheSenderOfAPart() throws Exception {
        CompletableFuture<Boolean> free = new CompletableFuture<>();
        assertTrue(run(free, connection -> {
            MessageOutput output = connection.startMessage(true);
            ReentrantLock lock = new ReentrantLock();
            CompletableFuture<Void> locked = new CompletableFuture<>();
            CompletableFuture<Void> telling = new CompletableFuture<>();
            Thread other = new Thread(() -> {
                lock.lock();
                try {
                    locked.complete(null);
                    telling.join();
                    output.sendText("other", true, Completion.IGNORE);
                } finally {
                    lock.unlock();
                }
            });
            other.start();
            locked.join();
            output.sendText("one", false, failure -> {
                telling.complete(null);
                free.complete(isFree(lock));
            });
        }));
    }

    private static boolean isFree(ReentrantLock lock) {
        try {
            return lock.tryLock(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    private interface Answer {
        void to(WebSocketConnection connection);
    }

    /** Sends one message to a listener, over a connection with context takeover, and returns the result. */
    private static boolean run(CompletableFuture<Boolean> result, Answer answer) throws Exception {
        WebSocketListener listener = new WebSocketListener() {
            @Override
            public void onText(WebSocketConnection connection, String message) {
                answer.to(connection);
            }
        };
        WebSocketOptions options =
                WebSocketOptions.DEFAULT.with(WebSocketOptions.DEFLATE, DeflateMode.CONTEXT_TAKEOVER);
        try (Server server = Server.builder()
                .port(0)
                .handler(new WebSocketHandler(listener, options))
                .start()) {
            RawClient raw = RawClient.connect(server.ports().get(0));
            WebSocketContractClient client = new WebSocketContractClient(new SocketLink(raw, new BufferPool(1 << 20)));
            client.ask("/", "Sec-WebSocket-Extensions: permessage-deflate");
            client.text("go");
            boolean told = Deadline.await(result);
            client.breakOff(); // the server does not wait for a response
            return told;
        }
    }
}
