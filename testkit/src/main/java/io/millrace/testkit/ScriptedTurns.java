package io.millrace.testkit;

import io.millrace.io.Turns;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Queues tasks until the test runs them. Thread-safe, as timers may submit some. */
public final class ScriptedTurns implements Turns {

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private volatile boolean othersWait;

    /** From now on, other tasks are reported as waiting for the thread. */
    public void haveOthersWait() {
        othersWait = true;
    }

    /** Runs the queued tasks, and those that they submit. */
    public void runAll() {
        while (runOne()) {
            // the next
        }
    }

    /** Runs the first queued task. False if there is none. */
    public boolean runOne() {
        Runnable task = tasks.poll();
        if (task == null) {
            return false;
        }
        task.run();
        return true;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public boolean areOthersWaiting() {
        return othersWait;
    }
}
