package io.millrace.servlet.session.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A store in memory that fails or hangs when it is told to, and lists its calls. */
public class FaultyStore implements SessionStore {

    /** What is stored, without faults. */
    public final MemorySessionStore sessions = new MemorySessionStore();

    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    private volatile boolean down;
    private volatile @Nullable String broken;
    private volatile @Nullable CountDownLatch hanging;

    /** All calls fail from now on, or work again. */
    public void down(boolean now) {
        down = now;
    }

    /** Calls of this name, or of this name and key ("read k"), fail; null: none does. */
    public void fail(@Nullable String call) {
        broken = call;
    }

    /** All calls wait from now on, until {@link #resume}. */
    public void hang() {
        hanging = new CountDownLatch(1);
    }

    /** Whether calls wait. */
    public boolean isHanging() {
        return hanging != null;
    }

    /** Ends {@link #hang}. */
    public void resume() {
        CountDownLatch hung = hanging;
        hanging = null;
        if (hung != null) {
            hung.countDown();
        }
    }

    /** The calls so far, each with its key. */
    public List<String> calls() {
        return List.copyOf(calls);
    }

    private void call(String name, String key) throws IOException {
        calls.add(name + " " + key);
        CountDownLatch hung = hanging;
        if (hung != null) {
            try {
                hung.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
        if (down || name.equals(broken) || (name + " " + key).equals(broken)) {
            throw new IOException("the store is down");
        }
    }

    @Override
    public @Nullable SessionRecord read(String key) throws IOException {
        call("read", key);
        return sessions.read(key);
    }

    @Override
    public @Nullable SessionRecord readIfNewer(SessionRecord known) throws IOException {
        call("readIfNewer", known.key());
        return sessions.readIfNewer(known);
    }

    @Override
    public boolean write(SessionRecord session) throws IOException {
        call("write", session.key());
        return sessions.write(session);
    }

    @Override
    public boolean touch(String key, long lastAccessed) throws IOException {
        call("touch", key);
        return sessions.touch(key, lastAccessed);
    }

    @Override
    public boolean remove(String key) throws IOException {
        call("remove", key);
        return sessions.remove(key);
    }

    @Override
    public List<SessionRecord> takeExpired(long now, int most) throws IOException {
        call("takeExpired", "");
        return sessions.takeExpired(now, most);
    }

    @Override
    public int size() throws IOException {
        call("size", "");
        return sessions.size();
    }

    @Override
    public List<String> keys(int most) throws IOException {
        call("keys", "");
        return sessions.keys(most);
    }

    @Override
    public String toString() {
        return "store of the test";
    }
}
