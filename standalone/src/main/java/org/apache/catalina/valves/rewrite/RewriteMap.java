package org.apache.catalina.valves.rewrite;

import org.jspecify.annotations.Nullable;

/**
 * Tomcat's interface of the rewrite maps that {@code RewriteMap name class parameters} lines create. Implementations must be thread-safe:
 * all requests share an instance.
 */
public interface RewriteMap {

    /**
     * Sets the parameters: the rest of the line after the class name. Called once, before the
     * first lookup, if there are any.
     *
     * @return ignored
     */
    @Nullable
    String setParameters(String params);

    /** The value of a key; null: the rule's default value is used. */
    @Nullable
    String lookup(String key);
}
