package io.millrace.workers;

/**
 * Samples what busy workers do: whether they compute, so that another worker would only compete for a processor, or are
 * blocked. Sampled only while tasks are queued. Confined to the supervisor's thread.
 */
final class WorkerActivity {

    /** The number of sampled workers, which represent the others. */
    private static final int SAMPLE = 8;

    private final Worker[] sample = new Worker[SAMPLE];
    private final long[] wantedBefore = new long[SAMPLE];
    private int size;
    private long since;

    /** Starts sampling some of the busy workers, but none that is known to be blocked: those are counted anyway. */
    void begin(Worker... workers) {
        size = 0;
        since = System.nanoTime();
        for (int i = 0; i < workers.length && size < SAMPLE; i++) {
            if (workers[i].isInTask() && !workers[i].isBlocked()) {
                sample[size] = workers[i];
                wantedBefore[size] = workers[i].processorNanos();
                size++;
            }
        }
    }

    /** Whether there were any, and neither running nor runnable for most of the time since then. True if it is unknown. */
    boolean isMostlyWaiting() {
        long wanted = 0;
        for (int i = 0; i < size; i++) {
            long now = sample[i].processorNanos();
            if (now == KernelThread.UNKNOWN || wantedBefore[i] == KernelThread.UNKNOWN) {
                return true;
            }
            wanted += now - wantedBefore[i];
        }
        return wanted < (System.nanoTime() - since) * size / 2;
    }
}
