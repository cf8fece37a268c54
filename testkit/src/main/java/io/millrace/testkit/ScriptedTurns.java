package io.millrace.testkit;

import io.millrace.io.Turns;
import java.util.ArrayDeque;
import java.util.Deque;

/** Leaves every task until the test runs it. For one thread. */
public final class ScriptedTurns implements Turns {

    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private boolean othersWait;

    /** From now on there is always somebody who waits for the thread. */
    public void haveOthersWait() {
        othersWait = true;
    }

    /** Runs what was left, and what that leaves. */
    public void runAll() {
        while (runOne()) {
            // the next
        }
    }

    /** Runs what was left first. False if there is nothing. */
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
