package io.millrace.io.socket;

import io.millrace.io.OpenConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The acceptor and the connections of a transport, and their part in {@link GracefulStop.Actions}.
 *
 * @param acceptor accepts connections
 * @param groups the open connections
 * @param pollers the I/O threads, except for the acceptor's
 * @param threads releases the threads; completed when they have ended
 * @param <C> the type of connections
 */
public record Sockets<C extends SocketConnection<C>>(
        Acceptor acceptor,
        List<ConnectionGroup<C>> groups,
        List<? extends Executor> pollers,
        Supplier<? extends CompletionStage<Void>> threads) {

    /** Completed when each thread has run a task. */
    CompletionStage<Void> ping() {
        return CompletableFuture.allOf(Stream.concat(Stream.of(acceptor.thread()), pollers.stream())
                .map(thread -> {
                    CompletableFuture<Void> answer = new CompletableFuture<>();
                    thread.execute(() -> answer.complete(null));
                    return answer;
                })
                .toArray(CompletableFuture[]::new));
    }

    /** Notifies all handlers that the server is draining. */
    void announce() {
        new ConnectionGroups<>(groups).announce();
    }

    /** Lets every handler check its connection. New connections precede this task in their threads' queues. */
    void drain() {
        new ConnectionGroups<>(groups).drain();
    }

    /** What operators see of the connections. */
    List<OpenConnection> list() {
        List<OpenConnection> all = new ArrayList<>();
        groups.forEach(group -> group.connections().forEach(each -> all.add(each.describe())));
        return all;
    }

    /** The number of idle connections. */
    int idle() {
        int sum = 0;
        for (ConnectionGroup<C> group : groups) {
            sum += group.connections().count(SocketConnection::isIdle);
        }
        return sum;
    }

    /** Closes all connections. */
    void cut(IOException cause) {
        new ConnectionGroups<>(groups).cut(cause);
    }
}
