package io.millrace.exchange;

import io.millrace.workers.Workers;

/** Every thread is a worker, and works at once: no switch. */
final class InPlace implements Workers {

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public boolean isWorker() {
        return true;
    }
}
