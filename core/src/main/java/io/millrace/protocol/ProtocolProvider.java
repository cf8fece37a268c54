package io.millrace.protocol;

import java.util.Map;

/** Makes protocols of one kind, for those who know it by name only. Found by {@link java.util.ServiceLoader}. */
public interface ProtocolProvider {

    /** {@code ajp}, for one. */
    String name();

    /**
     * A protocol for one connector.
     *
     * @param scheme what its requests are said to have come by, where they do not say themselves
     * @param attributes what the operator set, by Tomcat's names; what is not there has Tomcat's default
     * @throws IllegalArgumentException saying what was found, what was expected and what to do
     */
    Protocol create(String scheme, Map<String, String> attributes);
}
