package io.millrace.cluster.redis;

import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.servlet.session.store.SessionStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one application in Redis. Each call is one script, so that it happens whole or not at all, and takes one round
 * trip. The sessions are distributed over {@value #SLOTS} hash tags, so that the keys of a script are on one node of a Redis Cluster:
 *
 * <pre>
 * millrace:{APPLICATION:HH}:s:KEY   hash   v version, w id of the last write, c created, l last access, m idle timeout in seconds,
 *                                          a:NAME attributes, n:NAME notes; its own expiry is an hour after the session's
 * millrace:{APPLICATION:HH}:e       sorted set of the keys, by the time when they expire
 * millrace:{APPLICATION:HH}:r:KEY   for ten seconds after a removal, its id
 * </pre>
 *
 * <p>An answer may be lost with its connection, and the call is repeated then. Ids of writes and removals tell a repetition from a
 * conflict. Thread-safe.
 */
final class RedisSessionStore implements SessionStore {

    static final int SLOTS = 64;

    /** Those that servers generate, and ids of TLS sessions. */
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{1,2048}");

    /** One script blocks all of Redis: few sessions, which may be large. */
    private static final int TAKEN_AT_A_TIME = 10;

    private static final byte ATTRIBUTE = 'a';
    private static final byte NOTE = 'n';

    /**
     * Keys: session, index. Arguments: version to replace, id of the write, created, last access, idle timeout, key; the number of
     * fields that follow, these and their values; whether all other fields go; else the fields that go.
     */
    private static final RedisScript WRITE = new RedisScript("""
            local version = redis.call('HGET', KEYS[1], 'v')
            if (version or '0') ~= ARGV[1] then
              return redis.call('HGET', KEYS[1], 'w') == ARGV[2] and 1 or 0
            end
            local used = redis.call('HGET', KEYS[1], 'l')
            if not used or tonumber(used) < tonumber(ARGV[4]) then used = ARGV[4] end
            redis.call('HSET', KEYS[1], 'w', ARGV[2]) -- first, as Redis refuses only the first write when it is full
            local last = 7 + 2 * tonumber(ARGV[7])
            if ARGV[last + 1] == 'all' then
              redis.call('DEL', KEYS[1])
            else
              for i = last + 2, #ARGV do redis.call('HDEL', KEYS[1], ARGV[i]) end
            end
            redis.call('HSET', KEYS[1], 'v', string.format('%.0f', tonumber(ARGV[1]) + 1), 'w', ARGV[2], 'c', ARGV[3], 'l', used,
              'm', ARGV[5])
            for i = 8, last, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
            local idle = tonumber(ARGV[5])
            if idle > 0 then
              redis.call('ZADD', KEYS[2], string.format('%.0f', tonumber(used) + idle * 1000), ARGV[6])
              redis.call('PEXPIRE', KEYS[1], string.format('%.0f', idle * 1000 + 3600000))
            else
              redis.call('ZADD', KEYS[2], '+inf', ARGV[6])
              redis.call('PERSIST', KEYS[1])
            end
            return 1
            """);

    /** Keys: session. Arguments: version and time of creation that the caller has. Returns the last access, or all. */
    private static final RedisScript READ_IF_NEWER = new RedisScript("""
            local now = redis.call('HMGET', KEYS[1], 'v', 'c', 'l')
            if now[1] == ARGV[1] and now[2] == ARGV[2] then return now[3] end
            return redis.call('HGETALL', KEYS[1])
            """);

    /** Keys: session, index. Arguments: time of the access, key. */
    private static final RedisScript TOUCH = new RedisScript("""
            local session = redis.call('HMGET', KEYS[1], 'l', 'm')
            if not session[1] then return 0 end
            local used, idle, now = tonumber(session[1]), tonumber(session[2]), tonumber(ARGV[1])
            if idle > 0 and used + idle * 1000 <= now then return 0 end
            if used < now then
              redis.call('HSET', KEYS[1], 'l', ARGV[1])
              if idle > 0 then
                redis.call('ZADD', KEYS[2], string.format('%.0f', now + idle * 1000), ARGV[2])
                redis.call('PEXPIRE', KEYS[1], string.format('%.0f', idle * 1000 + 3600000))
              end
            end
            return 1
            """);

    /** Keys: session, index, removal. Arguments: key, id of the removal. */
    private static final RedisScript REMOVE = new RedisScript("""
            redis.call('ZREM', KEYS[2], ARGV[1])
            if redis.call('DEL', KEYS[1]) == 1 then
              redis.call('SET', KEYS[3], ARGV[2], 'PX', 10000)
              return 1
            end
            return redis.call('GET', KEYS[3]) == ARGV[2] and 1 or 0
            """);

    /** Keys: index. Arguments: now, how many, beginning of the sessions' keys. Returns keys and fields, alternating. */
    private static final RedisScript TAKE_EXPIRED = new RedisScript("""
            local taken = {}
            for _, key in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])) do
              local name = ARGV[3] .. key
              local session = redis.call('HMGET', name, 'l', 'm')
              local ends = session[1] and tonumber(session[1]) + tonumber(session[2]) * 1000
              if not ends or ends <= tonumber(ARGV[1]) then
                if ends then
                  taken[#taken + 1] = key
                  taken[#taken + 1] = redis.call('HGETALL', name)
                  redis.call('DEL', name)
                end
                redis.call('ZREM', KEYS[1], key)
              else
                redis.call('ZADD', KEYS[1], string.format('%.0f', ends), key)
              end
            end
            return taken
            """);

    private final RedisConnections redis;
    private final String application;

    /** By hash: the beginning of all keys of a hash tag. */
    private final String[] tags = new String[SLOTS];

    RedisSessionStore(RedisConnections redis, String application) {
        this.redis = redis;
        this.application = application;
        String escaped = application.replace("%", "%25").replace("{", "%7B").replace("}", "%7D");
        for (int i = 0; i < SLOTS; i++) {
            tags[i] = "millrace:{" + escaped + ":" + String.format("%02x", i) + "}";
        }
    }

    /** Of each wait for the network; false, as a call may wait several times, and for a connection. */
    @Override
    public boolean limitCalls(Duration timeout) {
        redis.limit(timeout);
        return false;
    }

    @Override
    public @Nullable SessionRecord read(String key) throws IOException {
        return isKey(key) ? record(key, redis.fields(bytes(session(key)))) : null;
    }

    @Override
    public @Nullable SessionRecord readIfNewer(SessionRecord known) throws IOException {
        if (!isKey(known.key())) {
            return null;
        }
        Object answer = redis.call(
                READ_IF_NEWER,
                List.of(bytes(session(known.key()))),
                List.of(bytes(known.version()), bytes(known.created())));
        return answer instanceof byte[] used
                ? known.withLastAccessed(number(used))
                : record(known.key(), fields((List<?>) answer));
    }

    @Override
    public boolean write(SessionRecord session) throws IOException {
        return write(session, null);
    }

    @Override
    public boolean write(SessionRecord session, @Nullable SessionRecord base) throws IOException {
        if (!isKey(session.key())) {
            throw new IOException("the session's key is not valid: expected letters, digits, - and _");
        }
        List<byte[]> set = new ArrayList<>();
        List<byte[]> removed = new ArrayList<>();
        differences(ATTRIBUTE, session.attributes(), base == null ? Map.of() : base.attributes(), set, removed);
        differences(NOTE, session.notes(), base == null ? Map.of() : base.notes(), set, removed);
        List<byte[]> arguments = new ArrayList<>(set.size() + removed.size() + 8);
        arguments.add(bytes(session.version()));
        arguments.add(bytes(newId()));
        arguments.add(bytes(session.created()));
        arguments.add(bytes(session.lastAccessed()));
        arguments.add(bytes(session.maxIdleSeconds()));
        arguments.add(bytes(session.key()));
        arguments.add(bytes(set.size() / 2));
        arguments.addAll(set);
        arguments.add(bytes(base == null ? "all" : "some"));
        arguments.addAll(removed);
        return isTrue(redis.write(WRITE, keys(session.key()), arguments));
    }

    private static void differences(
            byte kind, Map<String, byte[]> now, Map<String, byte[]> before, List<byte[]> set, List<byte[]> removed) {
        now.forEach((name, value) -> {
            if (!Arrays.equals(value, before.get(name))) {
                set.add(field(kind, name));
                set.add(value);
            }
        });
        before.keySet().stream().filter(name -> !now.containsKey(name)).forEach(name -> removed.add(field(kind, name)));
    }

    @Override
    public boolean touch(String key, long lastAccessed) throws IOException {
        return isKey(key) && isTrue(redis.call(TOUCH, keys(key), List.of(bytes(lastAccessed), bytes(key))));
    }

    @Override
    public boolean remove(String key) throws IOException {
        if (!isKey(key)) {
            return false;
        }
        List<byte[]> keys = new ArrayList<>(keys(key));
        keys.add(bytes(tag(key) + ":r:" + key));
        return isTrue(redis.write(REMOVE, keys, List.of(bytes(key), bytes(newId()))));
    }

    /** Begins anywhere, so that servers that look at the same time do not wait for each other. */
    @Override
    public List<SessionRecord> takeExpired(long now, int most) throws IOException {
        List<SessionRecord> taken = new ArrayList<>();
        int first = ThreadLocalRandom.current().nextInt(SLOTS);
        for (int i = 0; i < SLOTS && taken.size() < most; i++) {
            String tag = tags[(first + i) % SLOTS];
            boolean mayHaveMore = true;
            while (mayHaveMore && taken.size() < most) {
                int few = Math.min(TAKEN_AT_A_TIME, most - taken.size());
                List<?> answer = (List<?>) redis.call(
                        TAKE_EXPIRED, List.of(bytes(tag + ":e")), List.of(bytes(now), bytes(few), bytes(tag + ":s:")));
                for (int j = 0; j < answer.size(); j += 2) {
                    SessionRecord record = record(text(answer.get(j)), fields((List<?>) answer.get(j + 1)));
                    if (record != null) {
                        taken.add(record);
                    }
                }
                mayHaveMore = answer.size() == 2 * few;
            }
        }
        return taken;
    }

    @Override
    public int size() throws IOException {
        long size = 0;
        for (String tag : tags) {
            size += redis.count(bytes(tag + ":e"));
        }
        return (int) Math.min(size, Integer.MAX_VALUE);
    }

    @Override
    public List<String> keys(int most) throws IOException {
        List<String> keys = new ArrayList<>();
        for (String tag : tags) {
            if (keys.size() < most) {
                redis.members(bytes(tag + ":e"), most - keys.size()).forEach(key -> keys.add(text(key)));
            }
        }
        return keys;
    }

    @Override
    public String toString() {
        return redis.toString();
    }

    // ---- a session as fields

    /** Null if there is none, or it is damaged; a damaged one is removed. */
    private @Nullable SessionRecord record(String key, Map<String, byte[]> fields) throws IOException {
        if (fields.isEmpty()) {
            return null;
        }
        Map<String, byte[]> attributes = new HashMap<>();
        Map<String, byte[]> notes = new HashMap<>();
        fields.forEach((name, value) -> {
            if (name.startsWith("a:")) {
                attributes.put(name.substring(2), value);
            } else if (name.startsWith("n:")) {
                notes.put(name.substring(2), value);
            }
        });
        try {
            return new SessionRecord(
                    key,
                    number(fields.get("v")),
                    number(fields.get("c")),
                    number(fields.get("l")),
                    Math.toIntExact(number(fields.get("m"))),
                    attributes,
                    notes);
        } catch (NumberFormatException | ArithmeticException e) {
            RedisLog.LOG.damaged(application, toString(), "one of its fields v, c, l, m is not a number");
            remove(key);
            return null;
        }
    }

    private static Map<String, byte[]> fields(List<?> alternating) {
        Map<String, byte[]> fields = new HashMap<>();
        for (int i = 0; i + 1 < alternating.size(); i += 2) {
            fields.put(text(alternating.get(i)), (byte[]) alternating.get(i + 1));
        }
        return fields;
    }

    private static byte[] field(byte kind, String name) {
        return bytes((char) kind + ":" + name);
    }

    // ---- keys and values

    private static boolean isKey(String key) {
        return KEY.matcher(key).matches();
    }

    /** String's hash code is specified, so that all servers have the same. */
    private String tag(String key) {
        int hash = key.hashCode();
        return tags[(hash ^ hash >>> 8 ^ hash >>> 16) & SLOTS - 1];
    }

    private String session(String key) {
        return tag(key) + ":s:" + key;
    }

    private List<byte[]> keys(String key) {
        return List.of(bytes(session(key)), bytes(tag(key) + ":e"));
    }

    private static String newId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(long number) {
        return bytes(Long.toString(number));
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.UTF_8);
    }

    private static long number(byte @Nullable [] text) {
        return Long.parseLong(text == null ? "" : new String(text, StandardCharsets.UTF_8));
    }

    private static boolean isTrue(@Nullable Object answer) {
        return answer instanceof Long number && number == 1;
    }
}
