package io.millrace.io.socket;

/** Owns a channel that is registered with a {@link SelectorLoop}, and is notified of its events on the loop's thread. */
public interface SelectorListener {

    /**
     * Called when operations are possible. Their interest stays set, so that they are reported again in the next turn
     * unless the listener {@linkplain SelectorLoop#disarm clears} it. Must not block.
     */
    void ready(int operations);

    /** No further events will be reported, because {@link #ready} threw or the loop failed. The last call for this channel. */
    void unregistered(Throwable cause);
}
