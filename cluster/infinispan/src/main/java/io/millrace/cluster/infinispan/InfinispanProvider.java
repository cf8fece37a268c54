package io.millrace.cluster.infinispan;

import io.millrace.servlet.session.cluster.ClusterProvider;
import io.millrace.servlet.session.cluster.SessionCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The service by which servers find Infinispan: {@code <Cluster className="io.millrace.Infinispan" peers="a:7800,b:7800"/>}. */
public final class InfinispanProvider implements ClusterProvider {

    /** For {@link java.util.ServiceLoader}. */
    public InfinispanProvider() {}

    @Override
    public String name() {
        return "Infinispan";
    }

    @Override
    public List<String> defects(Map<String, String> attributes, Path base) {
        try {
            InfinispanOptions.of(attributes);
            return List.of();
        } catch (IllegalArgumentException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public SessionCluster open(Map<String, String> attributes, Path base) {
        return InfinispanCluster.open(InfinispanOptions.of(attributes));
    }
}
