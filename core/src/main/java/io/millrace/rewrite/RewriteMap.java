package io.millrace.rewrite;

import org.jspecify.annotations.Nullable;

/** Looks up the value of {@code ${name:key}}. Called by several workers at the same time; may block. */
@FunctionalInterface
public interface RewriteMap {

    /**
     * The value of a key.
     *
     * @return null if there is none: the default of the expression is then used
     */
    @Nullable
    String lookup(String key);
}
