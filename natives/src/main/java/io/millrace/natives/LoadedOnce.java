package io.millrace.natives;

import org.jspecify.annotations.Nullable;

/** A native library that is loaded and checked once in a process. If it can't be used, the reason is the same each time. */
public final class LoadedOnce {

    /** Loads and checks a library. */
    @FunctionalInterface
    public interface Loader {

        /**
         * Loads it.
         *
         * @return its version
         * @throws Throwable if it can't be used; an {@link IllegalStateException} says what to do
         */
        String load() throws Throwable;
    }

    private final Loader loader;
    private @Nullable String version;
    private @Nullable String defect;

    /** Nothing is loaded yet. */
    public LoadedOnce(Loader loader) {
        this.loader = loader;
    }

    /**
     * Loads the library if that has not been done.
     *
     * @return its version
     * @throws IllegalStateException if it can't be used here, saying what to do; the same each time
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
            // a class that could not be initialized says why only once
            Throwable why = failed instanceof ExceptionInInitializerError && failed.getCause() != null
                    ? failed.getCause()
                    : failed;
            String reason = why instanceof IllegalStateException ? why.getMessage() : why.toString();
            defect = reason;
            throw new IllegalStateException(reason, why);
        }
    }
}
