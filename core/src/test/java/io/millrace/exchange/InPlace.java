package io.millrace.exchange;

import io.millrace.workers.Workers;

/** Workers that run tasks on the calling thread; every thread counts as a worker. */
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
