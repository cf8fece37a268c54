package io.millrace.standalone.probe;

import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.RefAddr;
import javax.naming.Reference;
import javax.naming.spi.ObjectFactory;

/** A class that an operator installs in lib: a factory of JNDI objects, and what applications call. */
@SuppressWarnings("JdkObsolete") // its Hashtable
public final class Greeting implements ObjectFactory {

    @Override
    public Object getObjectInstance(Object object, Name name, Context context, Hashtable<?, ?> environment) {
        RefAddr text = ((Reference) object).get("text");
        return text == null ? "" : text.getContent();
    }

    /** Which class loader has it. */
    public static String loader() {
        return Greeting.class.getClassLoader().getName();
    }
}
