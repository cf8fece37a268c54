package io.millrace.standalone.admin;

import java.lang.ref.WeakReference;

/**
 * Notes the class loader of an application that has stopped. It is looked for in heap dumps, by the names of this class and its fields, to
 * find the loader of that application among others.
 */
public final class StoppedLoader extends WeakReference<ClassLoader> {

    /** The field of {@link java.lang.ref.Reference} with the loader. */
    public static final String LOADER = "referent";

    /** The field with the application's name. */
    public static final String APPLICATION = "application";

    private final String application;

    /** @param application its context path, with {@code ##} and the version if it has one */
    public StoppedLoader(ClassLoader loader, String application) {
        super(loader);
        this.application = application;
    }

    /** The application's name. */
    public String application() {
        return application;
    }
}
