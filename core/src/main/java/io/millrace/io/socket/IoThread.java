package io.millrace.io.socket;

import io.millrace.io.LoopRole;
import org.jspecify.annotations.Nullable;

/**
 * A thread that polls for many connections. Inherits nothing of the thread that creates it, because it may run code of applications
 * ({@link LoopRole}).
 */
public final class IoThread extends Thread implements LoopRole.Holder {

    private final @Nullable LoopRole role;

    /** A thread that has not been started, and always polls. */
    public IoThread(Runnable loop, String name) {
        this(loop, name, null);
    }

    /** A thread that has not been started, and polls while it has this role. */
    public IoThread(Runnable loop, String name, @Nullable LoopRole role) {
        super(null, loop, name, 0, false);
        this.role = role;
        setContextClassLoader(IoThread.class.getClassLoader());
    }

    @Override
    public boolean isPolling() {
        return role == null || !role.isLost();
    }

    @Override
    public @Nullable LoopRole role() {
        return role;
    }
}
