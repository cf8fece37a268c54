package io.millrace.exchange;

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
