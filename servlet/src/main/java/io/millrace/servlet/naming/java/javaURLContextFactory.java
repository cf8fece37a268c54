package io.millrace.servlet.naming.java;

import io.millrace.servlet.naming.JavaNames;
import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;
import javax.naming.spi.ObjectFactory;
import org.jspecify.annotations.Nullable;

/**
 * The JNDI factory of names that begin with {@code java:}. {@code javax.naming.spi.NamingManager} finds it by its package and
 * class name.
 */
@SuppressWarnings({"TypeName", "JdkObsolete"}) // JNDI's rules
public final class javaURLContextFactory implements ObjectFactory, InitialContextFactory {

    /** Called by the JDK. */
    public javaURLContextFactory() {}

    @Override
    public Object getObjectInstance(
            @Nullable Object object,
            @Nullable Name name,
            @Nullable Context context,
            @Nullable Hashtable<?, ?> environment)
            throws NamingException {
        return object instanceof String text ? JavaNames.lookup(text) : JavaNames.root();
    }

    @Override
    public Context getInitialContext(@Nullable Hashtable<?, ?> environment) throws NamingException {
        return JavaNames.root();
    }
}
