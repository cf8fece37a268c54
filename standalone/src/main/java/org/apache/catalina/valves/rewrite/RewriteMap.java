package org.apache.catalina.valves.rewrite;

import org.jspecify.annotations.Nullable;

/** A map that a RewriteMap line names by its class, under the name that Tomcat has for it. */
public interface RewriteMap {

    /**
     * Takes what follows the class in the line.
     *
     * @return not looked at
     */
    @Nullable
    String setParameters(String params);

    /** The value of a key; null if there is none. */
    @Nullable
    String lookup(String key);
}
