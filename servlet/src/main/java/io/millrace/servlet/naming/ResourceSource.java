package io.millrace.servlet.naming;

/** Makes what an application finds under a name. */
@FunctionalInterface
public interface ResourceSource {

    /**
     * The object, when it is first looked up; never null. It is closed with the application if it can be.
     *
     * @param application the loader of its classes, such as database drivers in WEB-INF/lib
     * @throws Exception if it can't be made: the lookup fails, and the next one tries again
     */
    Object make(ClassLoader application) throws Exception;

    /**
     * Is the object the application's own, to be closed with it? True unless it is lent.
     *
     * @param made by {@link #make}
     */
    default boolean isOwned(Object made) {
        return true;
    }
}
