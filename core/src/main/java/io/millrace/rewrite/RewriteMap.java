package io.millrace.rewrite;

import org.jspecify.annotations.Nullable;

/** Looks up what {@code ${name:key}} stands for. Called by many threads at a time, on workers: it may block. */
@FunctionalInterface
public interface RewriteMap {

    /**
     * The value of a key.
     *
     * @return null if there is none: the default counts then
     */
    @Nullable
    String lookup(String key);
}
