package io.millrace.natives;

import org.jspecify.annotations.Nullable;

/**
 * A native library that is loaded and checked once per process. If it cannot be used, every attempt fails with the same
 * message. Thread-safe.
 */
public final class LoadedOnce {

    /** Loads and checks a library. */
    @FunctionalInterface
    public interface Loader {

        /**
         * Loads the library.
         *
         * @return its version
         * @throws Throwable if it cannot be used; the message of an {@link IllegalStateException} says what to do
         */
        String load() throws Throwable;
    }

    private final Loader loader;
    private @Nullable String version;
    private @Nullable String defect;

    /** A library that has not been loaded yet. */
    public LoadedOnce(Loader loader) {
        this.loader = loader;
    }

    /**
     * Loads the library if that has not been done.
     *
     * @return its version
     * @throws IllegalStateException if it cannot be used here; the message says what to do, and is the same each time
     */
    public synchronized String require() {
        if (defect != null) {
            throw new IllegalStateException(defect);
        }
        String known = version;
        if (known == null) {
            known = load();
            version = known;
        }
        return known;
    }

    private String load() {
        try {
            Platform.requireLinux64();
            return loader.load();
        } catch (Throwable failed) {
            // only the first failure of a class initializer has the cause
            Throwable why = failed instanceof ExceptionInInitializerError && failed.getCause() != null
                    ? failed.getCause()
                    : failed;
            String reason = why instanceof IllegalStateException ? why.getMessage() : why.toString();
            defect = reason;
            throw new IllegalStateException(reason, why);
        }
    }
}
