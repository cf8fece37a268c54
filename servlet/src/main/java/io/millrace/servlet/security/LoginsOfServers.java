package io.millrace.servlet.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.security.SharedLogin.Members;
import io.millrace.servlet.session.SessionGroup;
import io.millrace.servlet.session.SessionGroups;
import io.millrace.servlet.session.SessionLogin;
import io.millrace.servlet.session.SessionUnavailableException;
import io.millrace.servlet.session.store.SharedMap;
import io.millrace.text.Digests;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * Logins that several servers share. Each is an entry of a map, under a digest of the cookie's id, and encrypted by another digest of it: who
 * reads the map learns neither the cookie, nor the user, nor the password. It exists as long as its entry: an end removes that, and
 * each server asks for it before it uses a session of the login, unless it has done so within the last half second. The entry
 * expires once no session of the login has been used for as long as the longest timeout among them. Thread-safe.
 */
final class LoginsOfServers implements Logins, SessionGroups {

    /** How long an answer of the map counts, in nanoseconds; also that it did not answer. */
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** How long no use is recorded after one was, in seconds; less for short timeouts. */
    private static final int MAX_TOUCH_SECONDS = 30;

    /** The part of a timeout for which no use is recorded after one was: a tenth. */
    private static final int TOUCHES_PER_TIMEOUT = 10;

    /**
     * How long an entry lasts at most after its last use, in seconds: a login whose sessions have no timeout, and whose servers have
     * lost them, does not stay for ever.
     */
    private static final int MAX_ENTRY_SECONDS = (int) TimeUnit.DAYS.toSeconds(30);

    /** How many logins without a session in this server's memory are remembered, for {@link #FRESH_NANOS}. */
    private static final int MAX_REMEMBERED = 10_000;

    /** Of 20 random bytes. */
    private static final Pattern ID = Pattern.compile("[\\w-]{27}");

    private final SharedMap map;
    private final boolean trustsMemory;
    private final LongSupplier nanoTime;

    /** By name. Guarded by itself. */
    private final Map<String, Group> groups = new LinkedHashMap<>();

    LoginsOfServers(SharedMap map, boolean trustsMemory) {
        this(map, trustsMemory, System::nanoTime);
    }

    /** For tests: with a clock. */
    LoginsOfServers(SharedMap map, boolean trustsMemory, LongSupplier nanoTime) {
        this.map = map;
        this.trustsMemory = trustsMemory;
        this.nanoTime = nanoTime;
    }

    @Override
    public SharedLogin begin(
            String id, SessionLogin login, Proof.@Nullable Password proof, String users, int idleSeconds) {
        Group group = named(SealedLogin.name(id));
        try {
            if (!group.put(SealedLogin.seal(id, users, login, proof), true, idle(idleSeconds))) {
                throw new IOException("another login has the same id");
            }
        } catch (IOException e) {
            throw unavailable("the login cannot be shared with the other servers", e);
        }
        return new SharedLogin(id, login, proof, group);
    }

    /** How much later than a session its login expires, since not each use is recorded. */
    private static int unrecordedSeconds(int idleSeconds) {
        return Math.min(MAX_TOUCH_SECONDS, idleSeconds / TOUCHES_PER_TIMEOUT + 1);
    }

    private static int idle(int seconds) {
        return seconds <= 0 ? MAX_ENTRY_SECONDS : Math.min(seconds, MAX_ENTRY_SECONDS);
    }

    private SessionUnavailableException unavailable(String what, IOException reason) {
        return new SessionUnavailableException(what + ", in " + map + ": " + reason.getMessage(), reason);
    }

    @Override
    public @Nullable SharedLogin find(String id, String users) {
        byte[] sealed = sealed(id);
        return sealed == null ? null : SealedLogin.open(sealed, id, users, named(SealedLogin.name(id)));
    }

    @Override
    public boolean isKnown(String id) {
        return sealed(id) != null;
    }

    private byte @Nullable [] sealed(String id) {
        try {
            return ID.matcher(id).matches() ? named(SealedLogin.name(id)).sealed() : null;
        } catch (IOException e) {
            throw unavailable("the login in another application cannot be verified", e);
        }
    }

    @Override
    public SessionGroups groups() {
        return this;
    }

    @Override
    public Group named(String name) {
        synchronized (groups) {
            Group known = groups.get(name);
            if (known == null) {
                known = new Group(name);
                groups.put(name, known);
                evict();
            }
            return known;
        }
    }

    /** Two steps for each new one; those with sessions stay. */
    private void evict() {
        for (int i = 0; i < 2 && groups.size() > MAX_REMEMBERED; i++) {
            Group eldest = groups.values().iterator().next();
            groups.remove(eldest.name);
            if (!eldest.members.isEmpty() || eldest.isToBeRemoved()) {
                groups.put(eldest.name, eldest);
            }
        }
    }

    /** The sessions of a login, and what this server knows about its entry. */
    final class Group implements SessionGroup {

        private final String name;
        private final Members members = new Members();
        private final ReentrantLock asking = new ReentrantLock();

        // guarded by asking
        private byte @Nullable [] sealed;
        private long asked;
        private long touched;
        private long used;
        private @Nullable IOException failure;
        private long failed;

        /** For good: ids are not used again. */
        private volatile boolean ended;

        /** Whether there is no entry, as far as it is known. */
        private volatile boolean removed;

        Group(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        private String key() {
            return "sign-on " + name;
        }

        /**
         * Writes the entry.
         *
         * @param begins true if there must be none, false if there must be one
         * @return false if that was not so
         */
        boolean put(byte[] value, boolean begins, int idleSeconds) throws IOException {
            byte[] timed = SealedLogin.timed(value, idleSeconds);
            asking.lock();
            try {
                boolean written = map.update(
                        key(),
                        System.currentTimeMillis(),
                        idleSeconds + unrecordedSeconds(idleSeconds),
                        before -> begins == (before == null) ? timed : null);
                if (written) {
                    asked = nanoTime.getAsLong();
                    touched = asked;
                    used = asked;
                    sealed = timed;
                }
                return written;
            } finally {
                asking.unlock();
            }
        }

        /** The value of the entry, as it was half a second ago or later; null if there is none. */
        byte @Nullable [] sealed() throws IOException {
            asking.lock();
            try {
                long now = nanoTime.getAsLong();
                if (!ended && (sealed == null || now - asked >= FRESH_NANOS)) {
                    ask(now);
                }
                return ended ? null : sealed;
            } finally {
                asking.unlock();
            }
        }

        /** A failure is one for half a second: requests that wait meanwhile do not wait for the map one after the other. */
        private void ask(long now) throws IOException {
            IOException before = failure;
            if (before != null && now - failed < FRESH_NANOS) {
                throw new IOException(before.getMessage(), before);
            }
            try {
                SharedMap.Entry there = map.get(key());
                removed |= there == null;
                ended |= there == null || !isInUse(there, now);
                sealed = there == null ? null : there.value();
                asked = now;
                used = now;
                failure = null;
            } catch (IOException e) {
                failure = e;
                failed = nanoTime.getAsLong();
                throw e;
            }
        }

        /** Records the use, which fails if it has expired, but not if it was used all the time, and the map could not be told. */
        private boolean isInUse(SharedMap.Entry there, long now) throws IOException {
            int idleSeconds = SealedLogin.idle(there.value());
            if (sealed != null && now - touched < TimeUnit.SECONDS.toNanos(unrecordedSeconds(idleSeconds))) {
                return true;
            }
            long time = System.currentTimeMillis();
            boolean wasUsed = trustsMemory && sealed != null && now - used < TimeUnit.SECONDS.toNanos(idleSeconds);
            int expires = idleSeconds + unrecordedSeconds(idleSeconds);
            boolean inUse = map.touch(key(), time)
                    || wasUsed
                            && (map.put(key(), there.value(), there.version(), time, expires)
                                    || map.touch(key(), time)); // another server has been quicker
            touched = now;
            return inUse;
        }

        /** What was known while the map answered stays true, if that is wanted. */
        @Override
        public boolean isOver(int idleSeconds) {
            try {
                byte[] known = sealed();
                if (known != null && SealedLogin.idle(known) < idle(idleSeconds)) {
                    put(known, false, idle(idleSeconds));
                }
                return known == null;
            } catch (IOException e) {
                if (trustsMemory && usesConfirmed()) {
                    return ended;
                }
                throw unavailable("it cannot be known whether the user has logged out on another server", e);
            }
        }

        /** Records a use that the map cannot be told of; false if the map has not confirmed the login before. */
        private boolean usesConfirmed() {
            asking.lock();
            try {
                used = sealed == null ? used : nanoTime.getAsLong();
                return sealed != null;
            } finally {
                asking.unlock();
            }
        }

        @Override
        public boolean add(HttpSession session) {
            return !ended && members.add(session);
        }

        /** The login may have sessions on other servers, so it ends by its timeout. */
        @Override
        public void left(HttpSession session) {
            members.remove(session);
        }

        boolean isToBeRemoved() {
            return ended && !removed;
        }

        /** Again and again, until the entry is removed. */
        @Override
        public void end() {
            ended = true;
            try {
                if (!removed) {
                    map.remove(key());
                    removed = true;
                }
            } catch (IOException e) {
                throw unavailable("the user is logged out on this server, but not yet on the others", e);
            } finally {
                members.end();
            }
        }
    }

    /**
     * The value of an entry: the timeout in seconds, then the login, encrypted. Its key is that of the one who knows the cookie's id,
     * which has 160 random bits.
     */
    private static final class SealedLogin {

        private static final String CIPHER = "AES/GCM/NoPadding";
        private static final int NONCE = 12;
        private static final int TAG_BITS = 128;

        /** users, method, name of the user, whether there is a password, its name, the password; then the roles. */
        private static final int FIRST_ROLE = 6;

        private static final SecureRandom RANDOM = new SecureRandom();

        private SealedLogin() {}

        /** Of the login with an id, which cannot be found by it. */
        static String name(String id) {
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest("name", id));
        }

        private static byte[] digest(String purpose, String id) {
            return Digests.sha256("single sign-on " + purpose + " " + id);
        }

        private static byte[] crypted(int mode, String id, byte[] nonce, byte[] text) throws GeneralSecurityException {
            Cipher cipher = Cipher.getInstance(CIPHER);
            cipher.init(mode, new SecretKeySpec(digest("key", id), "AES"), new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(text);
        }

        static byte[] seal(String id, String users, SessionLogin login, Proof.@Nullable Password proof) {
            List<String> parts = new ArrayList<>(List.of(
                    users,
                    login.authType(),
                    login.principal().getName(),
                    String.valueOf(proof != null),
                    proof == null ? "" : proof.name(),
                    proof == null ? "" : proof.password()));
            if (login.principal() instanceof Identity identity) {
                parts.addAll(identity.roles());
            }
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            for (String part : parts) {
                byte[] bytes = part.getBytes(UTF_8);
                text.writeBytes(
                        ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
                text.writeBytes(bytes);
            }
            byte[] nonce = new byte[NONCE];
            RANDOM.nextBytes(nonce);
            try {
                byte[] sealed = crypted(Cipher.ENCRYPT_MODE, id, nonce, text.toByteArray());
                return ByteBuffer.allocate(Integer.BYTES + NONCE + sealed.length)
                        .putInt(0)
                        .put(nonce)
                        .put(sealed)
                        .array();
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java has " + CIPHER, e);
            }
        }

        static byte[] timed(byte[] value, int idleSeconds) {
            byte[] timed = value.clone();
            ByteBuffer.wrap(timed).putInt(idleSeconds);
            return timed;
        }

        static int idle(byte[] value) {
            return value.length < Integer.BYTES ? 0 : ByteBuffer.wrap(value).getInt();
        }

        /** Null if it is damaged, or the login of other users. */
        static @Nullable SharedLogin open(byte[] value, String id, String users, SessionGroup group) {
            List<String> parts = new ArrayList<>();
            try {
                ByteBuffer sealed = ByteBuffer.wrap(value).position(Integer.BYTES);
                byte[] nonce = bytes(sealed, NONCE);
                ByteBuffer text =
                        ByteBuffer.wrap(crypted(Cipher.DECRYPT_MODE, id, nonce, bytes(sealed, sealed.remaining())));
                while (text.hasRemaining()) {
                    parts.add(new String(bytes(text, text.getInt()), UTF_8));
                }
            } catch (GeneralSecurityException | IllegalArgumentException | BufferUnderflowException damaged) {
                return null;
            }
            if (parts.size() < FIRST_ROLE || !parts.get(0).equals(users)) {
                return null;
            }
            Identity identity = new Identity(parts.get(2), Set.copyOf(parts.subList(FIRST_ROLE, parts.size())));
            Proof.Password proof =
                    Boolean.parseBoolean(parts.get(3)) ? new Proof.Password(parts.get(4), parts.get(5)) : null;
            return new SharedLogin(id, new SessionLogin(identity, parts.get(1)), proof, group);
        }

        private static byte[] bytes(ByteBuffer from, int length) {
            byte[] bytes = new byte[length];
            from.get(bytes);
            return bytes;
        }
    }
}
