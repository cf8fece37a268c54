package io.millrace.servlet.naming;

import javax.naming.Context;
import javax.naming.NamingException;

/** Looks up {@code java:} names, on behalf of the JDK, for the application of the current thread. */
public final class JavaNames {

    private JavaNames() {}

    /**
     * Returns the object of a name of the current thread's application, which its context class loader identifies.
     *
     * @throws NamingException if the application has no such name or its object cannot be created, or if the thread belongs
     *     to no application
     */
    public static Object lookup(String name) throws NamingException {
        return Naming.current().lookup(name);
    }

    /**
     * The context of all names of the current thread's application.
     *
     * @throws NamingException if the thread belongs to no application
     */
    public static Context root() throws NamingException {
        return new Naming.EnvContext(Naming.current(), "");
    }
}
