package io.millrace.io.socket;

import org.jspecify.annotations.Nullable;

/**
 * Something that can be in one {@link ConnectionList}, and is itself the link to its neighbours there, to save memory.
 *
 * @param <C> itself
 */
public abstract class Linked<C extends Linked<C>> {

    @Nullable
    C previous;

    @Nullable
    C following;

    /** In no list. */
    protected Linked() {}
}
