package io.millrace.files;

/** How paths through symbolic links are treated. */
public enum SymbolicLinks {
    /** They are not found. */
    REFUSED,
    /** They are found if the link's target is inside the served directory. */
    INSIDE,
    /** They are found wherever the link leads. */
    FOLLOWED
}
