package io.millrace.servlet.security;

import org.jspecify.annotations.Nullable;

/**
 * The role under which the current thread calls others: a servlet's run-as (Servlet 3.1, 15.3.1), during its init, service
 * and destroy, and in what it runs by {@code AsyncContext.start}. For those whom servlets call, such as containers of
 * other components; the servlet's own caller stays who it is.
 */
public final class RunAs {

    private static final ThreadLocal<@Nullable String> ROLE = new ThreadLocal<>();

    private RunAs() {}

    /** Null if the caller's own identity is to be used. */
    public static @Nullable String role() {
        return ROLE.get();
    }

    /** Runs something in this role. */
    public static void run(String role, Runnable task) {
        String before = enter(role);
        try {
            task.run();
        } finally {
            leave(before);
        }
    }

    /**
     * Begins a servlet's turn; null for one without run-as, which acts as its caller.
     *
     * @return what to give to {@link #leave}
     */
    public static @Nullable String enter(@Nullable String role) {
        String before = ROLE.get();
        if (role != null) {
            ROLE.set(role);
        }
        return before;
    }

    /** Ends it. */
    public static void leave(@Nullable String before) {
        if (before == null) {
            ROLE.remove();
        } else {
            ROLE.set(before);
        }
    }
}
