/** Sessions of several servers in Redis or Valkey, through Jedis. */
module io.millrace.cluster.redis {
    requires transitive io.millrace.servlet;
    requires org.apache.commons.pool2;
    requires org.jboss.logging;
    requires redis.clients.jedis;
    requires static org.jboss.logging.annotations;
    requires static org.jspecify;

    exports io.millrace.cluster.redis;

    provides io.millrace.servlet.session.cluster.ClusterProvider with
            io.millrace.cluster.redis.RedisProvider;
}
