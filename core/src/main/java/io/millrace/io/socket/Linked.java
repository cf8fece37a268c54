package io.millrace.io.socket;

import org.jspecify.annotations.Nullable;

/**
 * An element of at most one {@link ConnectionList}, with the links to its neighbours, which saves memory.
 *
 * @param <C> the type itself
 */
public abstract class Linked<C extends Linked<C>> {

    @Nullable
    C previous;

    @Nullable
    C following;

    /** An element that is in no list. */
    protected Linked() {}
}
