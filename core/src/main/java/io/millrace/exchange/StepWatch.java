package io.millrace.exchange;

import org.jspecify.annotations.Nullable;

/** Is notified of the thread that runs each handler of an exchange. Must return quickly and throw nothing. */
public interface StepWatch {

    /**
     * The attribute of an exchange whose handlers are watched, from the next one on. Set by the owner of the exchange; one that is
     * there already goes {@linkplain #after around} the new one.
     */
    AttributeKey<StepWatch> WATCH = AttributeKey.of("step watch", StepWatch.class);

    /** Called on a thread that is about to run a handler of the exchange. */
    void begun(Thread thread);

    /** Called on the same thread after the handler has returned or thrown; the thread no longer works for the exchange. */
    void ended();

    /** This one and another, nested: this one begins last and ends first. */
    default StepWatch after(@Nullable StepWatch outer) {
        if (outer == null) {
            return this;
        }
        StepWatch inner = this;
        return new StepWatch() {
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
        };
    }
}
