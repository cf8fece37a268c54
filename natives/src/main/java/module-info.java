/** Finds libraries of the system and their functions, for {@code java.lang.foreign}. */
module io.millrace.natives {
    requires static org.jspecify;

    exports io.millrace.natives;
}
