package io.millrace.exchange;

/** Two that are told, the later one inside the earlier. */
record BothWatches(StepWatch outer, StepWatch inner) implements StepWatch {

    @Override
    public void begun(Thread thread) {
        outer.begun(thread);
        inner.begun(thread);
    }

    @Override
    public void ended() {
        inner.ended();
        outer.ended();
    }
}
