package io.millrace.samples;

import io.millrace.cluster.infinispan.InfinispanCluster;
import io.millrace.cluster.redis.RedisCluster;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.session.SessionSettings;
import java.nio.file.Path;

/** Sessions of several servers, in the guide's cluster page. */
final class ClusterSamples {

    private ClusterSamples() {}

    static WebApplication shared(Path war) {
        // tag::redis
        RedisCluster redis = RedisCluster.open("redis://localhost:6379");
        WebApplication application =
                WebApplication.war(war).sessions(SessionSettings.DEFAULT.shared(redis.sessions("shop")));
        // end::redis
        return application;
    }

    static WebApplication inMemory(Path war) {
        // tag::infinispan
        InfinispanCluster cluster = InfinispanCluster.open("127.0.0.1:7800,127.0.0.1:7801", 7800);
        WebApplication application =
                WebApplication.war(war).sessions(SessionSettings.DEFAULT.shared(cluster.sessions("shop")));
        // end::infinispan
        return application;
    }
}
