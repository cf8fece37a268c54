package io.millrace.exchange;

/** Notifies two watches, nested: the inner one begins last and ends first. */
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
