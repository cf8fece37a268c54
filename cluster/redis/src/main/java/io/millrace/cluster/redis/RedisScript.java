package io.millrace.cluster.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A Lua script, which Redis knows by its digest once it has run. */
final class RedisScript {

    private final byte[] text;
    private final byte[] digest;

    RedisScript(String lua) {
        text = lua.getBytes(StandardCharsets.UTF_8);
        try {
            byte[] sha1 = MessageDigest.getInstance("SHA-1").digest(text);
            digest = HexFormat.of().formatHex(sha1).getBytes(StandardCharsets.US_ASCII);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    byte[] text() {
        return text;
    }

    byte[] digest() {
        return digest;
    }
}
