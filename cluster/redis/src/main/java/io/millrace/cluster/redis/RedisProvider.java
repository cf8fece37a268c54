package io.millrace.cluster.redis;

import io.millrace.servlet.session.cluster.ClusterProvider;
import io.millrace.servlet.session.cluster.SessionCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The service by which servers find Redis: {@code <Cluster className="io.millrace.Redis" uri="redis://…"/>}. */
public final class RedisProvider implements ClusterProvider {

    /** For {@link java.util.ServiceLoader}. */
    public RedisProvider() {}

    @Override
    public String name() {
        return "Redis";
    }

    @Override
    public List<String> defects(Map<String, String> attributes, Path base) {
        try {
            RedisCluster.open(RedisOptions.of(attributes, base)).close();
            return List.of();
        } catch (IllegalArgumentException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public SessionCluster open(Map<String, String> attributes, Path base) {
        return RedisCluster.open(RedisOptions.of(attributes, base));
    }
}
