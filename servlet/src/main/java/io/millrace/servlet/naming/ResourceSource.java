package io.millrace.servlet.naming;

/** Creates the object of a JNDI name. */
@FunctionalInterface
public interface ResourceSource {

    /**
     * Creates the object, at the first lookup of its name and on that thread. It is {@linkplain #close closed} when the
     * application stops, if {@link #isOwned} is true.
     *
     * @param application the application's class loader, for classes such as database drivers in WEB-INF/lib
     * @return never null
     * @throws Exception if the object cannot be created: the lookup fails, and the next one tries again
     */
    Object make(ClassLoader application) throws Exception;

    /** The name of the object's type as it is configured; {@code java.lang.Object} if that is not known. */
    default String type() {
        return "java.lang.Object";
    }

    /**
     * Whether only this application uses the object, so that it is closed with it. False for a shared object.
     *
     * @param made the object that {@link #make} returned
     */
    default boolean isOwned(Object made) {
        return true;
    }

    /**
     * Closes the object, if it is {@link AutoCloseable}.
     *
     * @param made the object that {@link #make} returned
     * @throws Exception if that fails; nobody is told
     */
    default void close(Object made) throws Exception {
        if (made instanceof AutoCloseable resource) {
            resource.close();
        }
    }
}
