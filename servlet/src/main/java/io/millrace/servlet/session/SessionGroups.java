package io.millrace.servlet.session;

/** Groups that several servers know by their names. Thread-safe. */
public interface SessionGroups {

    /** The group of a name; never null: whether it has ended is asked of it. Does not block. */
    SessionGroup named(String name);
}
