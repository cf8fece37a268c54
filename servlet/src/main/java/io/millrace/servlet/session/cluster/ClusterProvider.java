package io.millrace.servlet.session.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A kind of engine that shares sessions between servers, such as Redis: a service for {@link java.util.ServiceLoader}. The
 * standalone server finds it by the name in {@code <Cluster className="io.millrace.NAME">}. Implementations must be thread-safe.
 */
public interface ClusterProvider {

    /** The name after {@code io.millrace.}: {@code Redis}. */
    String name();

    /**
     * Checks the attributes of a Cluster element, without connecting.
     *
     * @param attributes those that are set, by their names
     * @param base the directory to which relative paths are relative
     * @return what keeps the engine from being used: a sentence each, without passwords
     */
    List<String> defects(Map<String, String> attributes, Path base);

    /**
     * Makes the access to an engine. Does not connect: an engine may be started after the servers that use it.
     *
     * @param attributes as for {@link #defects}
     * @throws IllegalArgumentException if there are defects; the message is the first
     */
    SessionCluster open(Map<String, String> attributes, Path base);
}
