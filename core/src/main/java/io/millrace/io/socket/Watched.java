package io.millrace.io.socket;

/** Whose channel a {@link Watcher} watches. */
public interface Watched {

    /** Some operations are possible now, and are not waited for any more. On the watcher's thread; must not block. */
    void ready(int operations);

    /** Nothing will be told any more: the watcher broke. On its thread, as its last act for this channel. */
    void unwatched(Throwable why);
}
