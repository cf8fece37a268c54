package io.millrace.cluster.infinispan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The attributes of a cluster in memory … */
final class InfinispanOptionsTest {

    private static final String SECRET = "0123456789abcdef";

    private static Map<String, String> attributes(String text) {
        Map<String, String> attributes = new HashMap<>();
        for (String attribute : text.split(" ", -1)) {
            attributes.put(
                    attribute.substring(0, attribute.indexOf('=')), attribute.substring(attribute.indexOf('=') + 1));
        }
        return attributes;
    }

    @Test
    void nameTheServersAndWhereToListen() {
        InfinispanOptions options = InfinispanOptions.of(
                attributes("peers=a:7801,[::1]:7802,10.0.0.3 port=7803 address=10.0.0.1 secret=" + SECRET));
        assertEquals(
                List.of(
                        new InfinispanOptions.Peer("a", 7801),
                        new InfinispanOptions.Peer("::1", 7802),
                        new InfinispanOptions.Peer("10.0.0.3", 7803)),
                options.peers());
        assertEquals("10.0.0.1", options.address());
        assertEquals(2, options.owners());
        assertEquals("Infinispan at 10.0.0.1:7803", options.toString());
    }

    @Test
    void needNoSecretOnTheLoopbackInterface() {
        for (String peers : List.of("127.0.0.1:7801", "localhost:7801,127.0.0.2", "[::1]:7801")) {
            InfinispanOptions options = InfinispanOptions.of(Map.of("peers", peers));
            assertEquals("127.0.0.1", options.address());
            assertEquals(7800, options.port());
        }
        assertTrue(InfinispanOptions.of(Map.of()).peers().isEmpty());
        assertTrue(InfinispanOptions.of(Map.of("address", "10.0.0.1")).peers().isEmpty(), "alone it listens nowhere");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "peer=a|the attribute peer is unknown",
                "peers=10.0.0.2 secret=0123456789abcdef|listens on 127.0.0.1 only; add address=",
                "peers=10.0.0.2 address=10.0.0.1|without protection at 10.0.0.1:7800; add secret=",
                "peers=shop.example address=localhost|without protection",
                "peers=127.0.0.1 address=0.0.0.0|without protection",
                "peers=10.0.0.2 address=10.0.0.1 secret=hush|could be guessed",
                "peers=a:b|the port of a:b in peers: expected a number from 1 to 65535",
                "peers=a,,b|peers has \"\": expected HOST",
                "peers=a/b|peers has \"a/b\"",
                "port=0|expected a number from 1 to 65535",
                "owners=1|owners=\"1\": expected a number from 2 to 10",
                "dropTime=5|expected a number from 1000",
                "clusterName=|clusterName is empty",
            })
    void areRefusedWithASentence(String text, String sentence) {
        Exception refused = assertThrows(IllegalArgumentException.class, () -> InfinispanOptions.of(attributes(text)));
        assertTrue(String.valueOf(refused.getMessage()).contains(sentence), refused.getMessage());
        assertFalse(String.valueOf(refused.getMessage()).contains("hush"), refused.getMessage());
    }
}
