package io.millrace.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the threads of a pool are divided between connections. */
final class WorkerSharesTest {

    private static final int NO_LIMIT = Integer.MAX_VALUE;

    /** The tasks that the pool runs; one ends when the test runs it. */
    private final Deque<Runnable> running = new ArrayDeque<>();

    private final List<String> ended = new ArrayList<>();
    private int waits;
    private boolean full;
    private boolean noThreads;

    private void accept(Runnable task) {
        if (full) {
            throw new RejectedExecutionException("full");
        }
        if (noThreads) {
            throw new OutOfMemoryError("unable to create native thread: on purpose");
        }
        running.add(task);
    }

    private WorkerShare share(WorkerShares shares, int most) {
        return shares.share(this::accept, most, () -> waits++);
    }

    private void submit(Executor share, String name, int count) {
        for (int i = 0; i < count; i++) {
            share.execute(() -> ended.add(name));
        }
    }

    /** Each takes two thirds of what is left, and at least one, for which it waits in the pool's queue. */
    @ParameterizedTest
    @CsvSource({"1,1,1", "2,1,2", "3,1,2", "4,1,3", "200,1,134", "200,2,178", "200,20,215", "10,200,207"})
    void connectionsThatComeOneAfterTheOtherLeaveAPart(int threads, int connections, int occupied) {
        WorkerShares shares = new WorkerShares(threads);
        for (int i = 0; i < connections; i++) {
            submit(share(shares, NO_LIMIT), "task", 1000);
        }
        assertEquals(occupied, running.size());
    }

    @Test
    void aConnectionHasAtMostTheConfiguredNumber() {
        WorkerShares shares = new WorkerShares(200);
        submit(share(shares, 20), "task", 100);
        assertEquals(20, running.size());
    }

    @Test
    void allTasksRunInTheOrderOfTheirConnection() {
        Executor share = share(new WorkerShares(4), NO_LIMIT);
        List<String> names = IntStream.range(0, 100).mapToObj(String::valueOf).collect(Collectors.toList());
        names.forEach(name -> submit(share, name, 1));
        runAll();
        assertEquals(names, ended);
    }

    @Test
    void connectionsThatWaitTakeTurns() {
        WorkerShares shares = new WorkerShares(1);
        for (String name : List.of("a", "b", "c")) {
            submit(share(shares, NO_LIMIT), name, 3);
        }
        runAll();
        assertEquals(List.of("a", "b", "c", "a", "b", "c", "a", "b", "c"), ended);
    }

    /** A connection whose tasks never end gets no more; what others free is used by those that wait. */
    @Test
    void whatAConnectionFreesIsUsedByOthers() {
        WorkerShares shares = new WorkerShares(12);
        submit(share(shares, NO_LIMIT), "first", 8);
        Deque<Runnable> first = new ArrayDeque<>(running);
        running.clear();
        submit(share(shares, NO_LIMIT), "second", 8);
        int before = running.size();
        first.forEach(Runnable::run);
        assertEquals(List.of(3, 8), List.of(before, running.size()));
    }

    @Test
    void aTaskThatFailsFreesItsPlace() {
        Executor share = share(new WorkerShares(1), NO_LIMIT);
        share.execute(() -> {
            throw new IllegalStateException("on purpose");
        });
        submit(share, "next", 1);
        assertThrows(IllegalStateException.class, running.remove()::run);
        runAll();
        assertEquals(List.of("next"), ended);
    }

    @Test
    void aTaskThatIsRejectedTakesNoPlace() {
        Executor share = share(new WorkerShares(1), NO_LIMIT);
        full = true;
        assertThrows(RejectedExecutionException.class, () -> submit(share, "rejected", 1));
        full = false;
        submit(share, "next", 1);
        runAll();
        assertEquals(List.of("next"), ended);
    }

    /** They were accepted, so they must run, on the thread that ends. */
    @Test
    void tasksThatWaitRunAlthoughThePoolIsFullOrClosed() {
        Executor share = share(new WorkerShares(1), NO_LIMIT);
        submit(share, "task", 10_000);
        full = true;
        runAll();
        assertEquals(Collections.nCopies(10_000, "task"), ended);
    }

    @Test
    void tasksThatWaitRunAlthoughNoThreadCanBeStarted() {
        Executor share = share(new WorkerShares(1), NO_LIMIT);
        submit(share, "task", 3);
        noThreads = true;
        runAll();
        noThreads = false;
        submit(share, "later", 1);
        runAll();
        assertEquals(List.of("task", "task", "task", "later"), ended);
    }

    @Test
    void aTaskRunsThatOneOfTheSameShareWaitsFor() {
        WorkerShare share = share(new WorkerShares(1), 1);
        submit(share, "next", 1);
        share.execute(() -> {
            submit(share.nested(), "nested", 2);
            submit(share, "later", 1);
            running.remove().run(); // the task waits for the first
            ended.add("outer");
        });
        runAll();
        assertEquals(List.of("next", "nested", "outer", "nested", "later"), ended);
        assertEquals(3, waits);
    }

    @Test
    void aTaskRunsThatANestedOneWaitsFor() {
        WorkerShare share = share(new WorkerShares(1), 1);
        share.execute(() -> {
            share.nested().execute(() -> {
                submit(share.nested(), "innermost", 1);
                running.remove().run();
                ended.add("nested");
            });
            running.remove().run();
            ended.add("outer");
        });
        runAll();
        assertEquals(List.of("innermost", "nested", "outer"), ended);
    }

    @Test
    void nestedTasksCountLikeOthers() {
        WorkerShare share = share(new WorkerShares(200), 20);
        submit(share.nested(), "nested", 50);
        submit(share, "task", 50);
        assertEquals(20, running.size());
    }

    @Test
    void knowsTheThreadsOfItsTasks() {
        WorkerShares shares = new WorkerShares(10);
        WorkerShare share = share(shares, NO_LIMIT);
        WorkerShare other = share(shares, NO_LIMIT);
        List<Boolean> held = new ArrayList<>();
        share.execute(() -> held.addAll(List.of(share.isHeld(), other.isHeld())));
        runAll();
        held.add(share.isHeld());
        assertEquals(List.of(true, false, false), held);
    }

    /** The connections of an address have shares of their own, within which its tasks run. */
    @Test
    void anAddressHasAtMostTheConfiguredNumberOverAllConnections() throws Exception {
        AddressShares addresses = new AddressShares(5);
        WorkerShares connections = new WorkerShares(200);
        for (int i = 0; i < 10; i++) {
            submit(of(addresses, "2001:db8::" + i, share(connections, NO_LIMIT)), "one", 4);
        }
        submit(of(addresses, "2001:db8:0:1::1", share(connections, NO_LIMIT)), "another", 2);
        assertEquals(List.of(7, 35), List.of(running.size(), waits));
        runAll();
        assertEquals(42, ended.size());
        submit(of(addresses, "2001:db8::1", share(connections, NO_LIMIT)), "one", 10);
        assertEquals(5, running.size());
    }

    private WorkerShare of(AddressShares addresses, String address, WorkerShare connection) throws Exception {
        return addresses.share(InetAddress.getByName(address), connection, connection.nested(), () -> waits++);
    }

    private void runAll() {
        while (!running.isEmpty()) {
            running.remove().run();
        }
    }
}
