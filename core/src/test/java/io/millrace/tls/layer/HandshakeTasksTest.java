package io.millrace.tls.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HandshakeTasksTest {

    private final Queue<Runnable> given = new ArrayDeque<>();
    private final List<Integer> done = new ArrayList<>();

    @Test
    void givesTheWorkersNoMoreThanTheLimitAndRunsAllInOrder() {
        HandshakeTasks tasks = new HandshakeTasks(given::add, 2);
        IntStream.range(0, 10).forEach(n -> tasks.execute(() -> done.add(n)));

        assertEquals(2, given.size());
        given.remove().run();
        assertEquals(List.of(0, 2, 3, 4, 5, 6, 7, 8, 9), done, "a worker goes on with those that wait");
        given.remove().run();
        assertEquals(List.of(0, 2, 3, 4, 5, 6, 7, 8, 9, 1), done);

        tasks.execute(() -> done.add(10));
        assertEquals(1, given.size(), "both places are free again");
    }

    @Test
    void goesOnAfterATaskThatThrows() {
        HandshakeTasks tasks = new HandshakeTasks(given::add, 1);
        tasks.execute(() -> {
            throw new LinkageError("this one fails for the test's sake");
        });
        tasks.execute(() -> done.add(1));

        given.remove().run();
        assertEquals(List.of(1), done);
        tasks.execute(() -> done.add(2));
        assertEquals(1, given.size());
    }

    @Test
    void freesTheSlotOfATaskThatTheWorkersRejectedWithAnError() {
        boolean[] failing = {true};
        HandshakeTasks tasks = new HandshakeTasks(
                task -> {
                    if (failing[0]) {
                        throw new OutOfMemoryError("unable to create native thread, says the test");
                    }
                    given.add(task);
                },
                1);
        assertThrows(OutOfMemoryError.class, () -> tasks.execute(() -> done.add(1)));
        failing[0] = false;
        tasks.execute(() -> done.add(2));
        given.remove().run();
        assertEquals(List.of(2), done);
    }

    @Test
    void keepsNoPlaceForATaskThatTheWorkersReject() {
        boolean[] full = {true};
        Executor workers = task -> {
            if (full[0]) {
                throw new RejectedExecutionException("all at work");
            }
            given.add(task);
        };
        HandshakeTasks tasks = new HandshakeTasks(workers, 1);
        assertThrows(RejectedExecutionException.class, () -> tasks.execute(() -> done.add(1)));

        full[0] = false;
        tasks.execute(() -> done.add(2));
        given.remove().run();
        assertEquals(List.of(2), done);
    }
}
