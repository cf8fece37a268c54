package io.millrace.servlet.deploy.loader;

import java.net.URL;
import java.net.URLClassLoader;
import org.jspecify.annotations.Nullable;

/**
 * Classes that an operator installed for all applications: the parent of their class loaders. Its own parent comes first, as
 * in Tomcat; only libraries that the container keeps to itself may be here in a version of their own, which applications see.
 * Any thread. It is never closed: it lives as long as the process.
 */
public final class SharedClassLoader extends URLClassLoader {

    static {
        registerAsParallelCapable();
    }

    /**
     * @param name for stack traces
     * @param urls jars, and directories that end with a slash
     */
    public SharedClassLoader(String name, URL[] urls, ClassLoader parent) {
        super(name, urls, parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        Class<?> own = ContainerClasses.isHidden(name) ? own(name) : null;
        return own != null ? own : super.loadClass(name, resolve);
    }

    /** A class of its own jars, or of those of a parent of this kind; null if none has it. */
    @Nullable
    Class<?> own(String name) {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            try {
                return findClass(name);
            } catch (ClassNotFoundException notHere) {
                return getParent() instanceof SharedClassLoader parent ? parent.own(name) : null;
            }
        }
    }

    /** A file of its own jars, or of those of a parent of this kind; null if none has it. */
    @Nullable
    URL ownResource(String name) {
        URL found = findResource(name);
        return found == null && getParent() instanceof SharedClassLoader parent ? parent.ownResource(name) : found;
    }
}
