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
 * <p>A namespace, if the operator has given one, stands before the tag: {@code millrace:NAMESPACE:{…}}.
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

    /**
     * A function of scripts: brings the expiry of a session up to date, once a second at most, as each access would cost two commands
     * otherwise. What the index has as too early, TAKE_EXPIRED corrects. {@code before}: the last access that was known; nil for none.
     */
    private static final String EXPIRE = """
            local function expire(before, used, idle, key)
              if before and math.floor(before / 1000) == math.floor(used / 1000) then return end
              if idle > 0 then
                redis.call('ZADD', KEYS[2], string.format('%.0f', used + idle * 1000), key)
                redis.call('PEXPIRE', KEYS[1], string.format('%.0f', idle * 1000 + 3600000))
              elseif not before then
                redis.call('ZADD', KEYS[2], '+inf', key)
                redis.call('PERSIST', KEYS[1])
              end
            end
            """;

    /** A function of scripts: records an access. Returns 1; 0 if there is no session, or it has expired; or why Redis refused it. */
    private static final String ACCESS = """
            local function access(stored, timeout, time, key)
              local used, idle = tonumber(stored), tonumber(timeout)
              if not used or not idle or idle > 0 and used + idle * 1000 <= time then return 0 end
              if used < time then
                local set = redis.pcall('HSET', KEYS[1], 'l', string.format('%.0f', time))
                if type(set) == 'table' and set.err then return set end
                expire(used, time, idle, key)
              end
              return 1
            end
            """;

    private static final byte ATTRIBUTE = 'a';
    private static final byte NOTE = 'n';
    private static final byte[] NONE = {};

    /**
     * Keys: session, index. Arguments: version to replace, id of the write, created, last access, idle timeout, key; the number of
     * fields that follow, these and their values; whether all other fields go; else the fields that go.
     *
     * <p>The first command that writes is a HSET, as Redis refuses only the first one when it is full, and lets DEL pass.
     */
    private static final RedisScript WRITE = new RedisScript(EXPIRE + """
            local stored = redis.call('HMGET', KEYS[1], 'v', 'l', 'm')
            if (stored[1] or '0') ~= ARGV[1] then
              return redis.call('HGET', KEYS[1], 'w') == ARGV[2] and 1 or 0
            end
            local before, used, idle = tonumber(stored[2]), tonumber(ARGV[4]), tonumber(ARGV[5])
            if before and before > used then used = before end
            local last = 7 + 2 * tonumber(ARGV[7])
            if ARGV[last + 1] == 'all' and redis.call('EXISTS', KEYS[1]) == 1 then
              redis.call('HSET', KEYS[1], 'w', ARGV[2])
              redis.call('DEL', KEYS[1])
              before = nil
            end
            local next = 7 + math.min(last - 7, 1000)
            redis.call('HSET', KEYS[1], 'v', string.format('%.0f', tonumber(ARGV[1]) + 1), 'w', ARGV[2], 'c', ARGV[3],
              'l', string.format('%.0f', used), 'm', ARGV[5], unpack(ARGV, 8, next))
            while next < last do
              redis.call('HSET', KEYS[1], unpack(ARGV, next + 1, math.min(next + 1000, last)))
              next = next + 1000
            end
            for i = last + 2, #ARGV do redis.call('HDEL', KEYS[1], ARGV[i]) end
            if tonumber(stored[3]) ~= idle then before = nil end
            expire(before, used, idle, ARGV[6])
            return 1
            """);

    /** Keys: session. Arguments: version and time of creation that the caller has. Returns the last access, or all. */
    private static final RedisScript READ_IF_NEWER = new RedisScript("""
            local now = redis.call('HMGET', KEYS[1], 'v', 'c', 'l')
            if now[1] == ARGV[1] and now[2] == ARGV[2] then return now[3] end
            return redis.call('HGETALL', KEYS[1])
            """);

    /** Keys: session, index. Arguments: time of the access, key. */
    private static final RedisScript TOUCH = new RedisScript(EXPIRE + ACCESS + """
            local session = redis.call('HMGET', KEYS[1], 'l', 'm')
            return access(session[1], session[2], tonumber(ARGV[1]), ARGV[2])
            """);

    /**
     * Keys: session, index. Arguments: version and time of creation that the caller has, if it has any; time of the access, key.
     * Returns whether the access is recorded, and what READ_IF_NEWER does, of before the access. A Redis that is full can still be
     * read; one that is a replica, since a failover, can not.
     */
    private static final RedisScript READ_AND_TOUCH = new RedisScript(EXPIRE + ACCESS + """
            local now = redis.call('HMGET', KEYS[1], 'v', 'c', 'l', 'm')
            local answer = now[3]
            if now[1] ~= ARGV[1] or now[2] ~= ARGV[2] then answer = redis.call('HGETALL', KEYS[1]) end
            local recorded = access(now[3], now[4], tonumber(ARGV[3]), ARGV[4])
            if type(recorded) == 'table' then
              if string.find(recorded.err, 'READONLY') then return recorded end
              recorded = 0
            end
            return {recorded, answer}
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

    private volatile Duration timeout = RedisConnections.DEFAULT_TIMEOUT;

    RedisSessionStore(RedisConnections redis, String application) {
        this.redis = redis;
        this.application = application;
        String escaped = application.replace("%", "%25").replace("{", "%7B").replace("}", "%7D");
        for (int i = 0; i < SLOTS; i++) {
            tags[i] = redis.prefix() + "{" + escaped + ":" + String.format("%02x", i) + "}";
        }
    }

    @Override
    public boolean limitCalls(Duration limit) {
        timeout = limit;
        redis.limit(limit);
        return true;
    }

    @Override
    public @Nullable SessionRecord read(String key) throws IOException {
        return isKey(key) ? record(key, fields(redis.fields(bytes(session(key)), timeout))) : null;
    }

    @Override
    public @Nullable SessionRecord readIfNewer(SessionRecord known) throws IOException {
        if (!isKey(known.key())) {
            return null;
        }
        Object answer = redis.call(
                READ_IF_NEWER,
                List.of(bytes(session(known.key()))),
                List.of(bytes(known.version()), bytes(known.created())),
                timeout);
        return record(known.key(), known, answer);
    }

    @Override
    public Access access(String key, @Nullable SessionRecord known, long time) throws IOException {
        if (!isKey(key)) {
            return new Access(null, false);
        }
        byte[] version = known == null ? NONE : bytes(known.version());
        byte[] created = known == null ? NONE : bytes(known.created());
        List<?> answer = list(
                redis.call(READ_AND_TOUCH, keys(key), List.of(version, created, bytes(time), bytes(key)), timeout));
        return new Access(record(key, known, answer.get(1)), isTrue(answer.get(0)));
    }

    /** What a script has answered: the time of the last access, if the caller knows the rest; or all. */
    private @Nullable SessionRecord record(String key, @Nullable SessionRecord known, @Nullable Object answer)
            throws IOException {
        return answer instanceof byte[] used && known != null
                ? known.withLastAccessed(number(used))
                : record(key, fields(list(answer)));
    }

    private static List<?> list(@Nullable Object answer) {
        return answer instanceof List<?> found ? found : List.of();
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
        return isTrue(redis.write(WRITE, keys(session.key()), arguments, timeout));
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
        return isKey(key) && isTrue(redis.call(TOUCH, keys(key), List.of(bytes(lastAccessed), bytes(key)), timeout));
    }

    @Override
    public boolean remove(String key) throws IOException {
        if (!isKey(key)) {
            return false;
        }
        List<byte[]> keys = new ArrayList<>(keys(key));
        keys.add(bytes(tag(key) + ":r:" + key));
        return isTrue(redis.write(REMOVE, keys, List.of(bytes(key), bytes(newId())), timeout));
    }

    /** Begins anywhere, so that servers that look at the same time do not wait for each other. */
    @Override
    public List<SessionRecord> takeExpired(long now, int most) throws IOException {
        List<SessionRecord> taken = new ArrayList<>();
        int first = ThreadLocalRandom.current().nextInt(SLOTS);
        try {
            for (int i = 0; i < SLOTS && taken.size() < most; i++) {
                takeExpired(tags[(first + i) % SLOTS], now, most, taken);
            }
        } catch (IOException e) {
            if (taken.isEmpty()) {
                throw e;
            } // the others are taken the next time; of these nobody else would be told
        }
        return taken;
    }

    private void takeExpired(String tag, long now, int most, List<SessionRecord> taken) throws IOException {
        boolean mayHaveMore = true;
        while (mayHaveMore && taken.size() < most) {
            int few = Math.min(TAKEN_AT_A_TIME, most - taken.size());
            List<?> answer = list(redis.call(
                    TAKE_EXPIRED,
                    List.of(bytes(tag + ":e")),
                    List.of(bytes(now), bytes(few), bytes(tag + ":s:")),
                    timeout));
            for (int j = 0; j < answer.size(); j += 2) {
                SessionRecord record = record(text(answer.get(j)), fields(list(answer.get(j + 1))));
                if (record != null) {
                    taken.add(record);
                }
            }
            mayHaveMore = answer.size() == 2 * few;
        }
    }

    @Override
    public int size() throws IOException {
        long size = 0;
        for (String tag : tags) {
            size += redis.count(bytes(tag + ":e"), timeout);
        }
        return (int) Math.min(size, Integer.MAX_VALUE);
    }

    @Override
    public List<String> keys(int most) throws IOException {
        List<String> keys = new ArrayList<>();
        for (String tag : tags) {
            if (keys.size() < most) {
                redis.members(bytes(tag + ":e"), most - keys.size(), timeout).forEach(key -> keys.add(text(key)));
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
