package io.millrace.files;

/** What becomes of a path that leads through a symbolic link. */
public enum SymbolicLinks {
    /** It is not found. */
    REFUSED,
    /** It is found if the link stays inside the directory that is served. */
    INSIDE,
    /** It is found wherever the link leads. */
    FOLLOWED
}
