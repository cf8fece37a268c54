package io.millrace.servlet.security;

import org.jspecify.annotations.Nullable;

/**
 * The run-as role of the current thread (Servlet 3.1, 15.3.1): that of a servlet during its init, service and destroy, and in
 * tasks of {@code AsyncContext.start}. It is for components that servlets call, such as EJB containers; it does not change the
 * user of the request.
 */
public final class RunAs {

    private static final ThreadLocal<@Nullable String> ROLE = new ThreadLocal<>();

    private RunAs() {}

    /** The role; null if calls are made with the identity of the user. */
    public static @Nullable String role() {
        return ROLE.get();
    }

    /** Runs a task with a role on the current thread, and restores the previous role. */
    public static void run(String role, Runnable task) {
        String before = enter(role);
        try {
            task.run();
        } finally {
            leave(before);
        }
    }

    /**
     * Sets the role of the current thread.
     *
     * @param role null for a servlet without run-as: the current role stays
     * @return the argument for {@link #leave}
     */
    public static @Nullable String enter(@Nullable String role) {
        String before = ROLE.get();
        if (role != null) {
            ROLE.set(role);
        }
        return before;
    }

    /** Restores the role of the current thread. */
    public static void leave(@Nullable String before) {
        if (before == null) {
            ROLE.remove();
        } else {
            ROLE.set(before);
        }
    }
}
