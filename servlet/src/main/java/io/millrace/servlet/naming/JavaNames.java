package io.millrace.servlet.naming;

import javax.naming.Context;
import javax.naming.NamingException;

/** The door for the JDK's naming: what begins with {@code java:}, for the application of the current thread. */
public final class JavaNames {

    private JavaNames() {}

    /**
     * What a name means to the thread's application.
     *
     * @throws NamingException if it has no such name, or the thread belongs to no application
     */
    public static Object lookup(String name) throws NamingException {
        return Naming.current().lookup(name);
    }

    /** All its names. */
    public static Context root() throws NamingException {
        return new EnvContext(Naming.current(), "");
    }
}
