package io.millrace.io.socket;

import org.jspecify.annotations.Nullable;

/**
 * An element of at most one {@link ConnectionList}, which holds the links to its neighbours itself, to save memory.
 *
 * @param <C> itself
 */
public abstract class Linked<C extends Linked<C>> {

    @Nullable
    C previous;

    @Nullable
    C following;

    /** An element of no list yet. */
    protected Linked() {}
}
