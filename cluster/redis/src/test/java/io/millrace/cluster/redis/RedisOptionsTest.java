package io.millrace.cluster.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Redis URI … */
final class RedisOptionsTest {

    @Test
    void namesHostPortUserPasswordAndDatabase() {
        RedisOptions options = RedisOptions.of("rediss://shop:a%2Fb%40c@redis.example:6380/3");
        assertEquals(List.of(new RedisOptions.Node("redis.example", 6380)), options.nodes());
        assertTrue(options.tls());
        assertEquals("shop", options.user());
        assertEquals("a/b@c", options.password());
        assertEquals(3, options.database());
        assertEquals("rediss://redis.example:6380/3", options.toString());
    }

    @Test
    void hasTheUsualPortsAndNoLogin() {
        RedisOptions options = RedisOptions.of("redis://[::1]");
        assertEquals(List.of(new RedisOptions.Node("::1", 6379)), options.nodes());
        assertEquals("redis://[::1]:6379", options.toString());
        assertNull(options.password());
        assertEquals("secret", RedisOptions.of("redis://:secret@h").password());
        assertNull(RedisOptions.of("redis://:secret@h").user());
    }

    @Test
    void namesSentinelsOrTheNodesOfACluster() {
        RedisOptions sentinels = RedisOptions.of("redis://a,b:26380/1?sentinel=shop&sentinelPassword=x");
        assertEquals("shop", sentinels.master());
        assertEquals("x", sentinels.sentinelPassword());
        assertEquals(
                List.of(new RedisOptions.Node("a", 26_379), new RedisOptions.Node("b", 26_380)), sentinels.nodes());
        assertTrue(RedisOptions.of("redis://a,b?cluster=true").isCluster());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "localhost:6379|no scheme",
                "http://localhost|unknown scheme \"http\"",
                "redsi://localhost|unknown scheme \"redsi\"",
                "redis://|no host",
                "redis://a,b|several hosts",
                "redis://a:0|a port in uri: expected a number from 1 to 65535",
                "redis://a:x|a port in uri",
                "redis://a/x|database number",
                "redis://a/1?cluster=true|only the database 0",
                "redis://a?sentinal=m|unknown parameter \"sentinal\"; the nearest is sentinel",
                "redis://a?sentinel|has no value",
                "redis://a?cluster=yes|neither true nor false",
                "redis://a?cluster=true&sentinel=m|both",
                "redis://user@a|a user without a password",
                "redis://u:%zz@a|hexadecimal",
                "redis://u:hush/hush@a b|no host name has",
            })
    void isRefusedWithASentence(String uri, String sentence) {
        Exception refused = assertThrows(IllegalArgumentException.class, () -> RedisOptions.of(uri));
        assertTrue(String.valueOf(refused.getMessage()).contains(sentence), refused.getMessage());
        assertFalse(String.valueOf(refused.getMessage()).contains("hush"), refused.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "uris|redis://a|the attribute uris is unknown; the nearest is uri",
                "minReplicas|-1|minReplicas=\"-1\": expected a number from 0 to 100",
                "connections|many|connections=\"many\"",
                "caCertificateFile|none.pem|there is no such file",
                "user|shop|without a password",
            })
    void hasAttributesBesideItThatAreChecked(String name, String value, String sentence) {
        Exception refused = assertThrows(
                IllegalArgumentException.class,
                () -> RedisOptions.of(Map.of("uri", "rediss://a", name, value), Path.of("")));
        assertTrue(String.valueOf(refused.getMessage()).contains(sentence), refused.getMessage());
    }
}
