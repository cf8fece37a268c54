package io.millrace.servlet.naming;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.List;
import java.util.Properties;
import javax.naming.Binding;
import javax.naming.CompositeName;
import javax.naming.CompoundName;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NameClassPair;
import javax.naming.NameParser;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import javax.naming.OperationNotSupportedException;

/** A read-only JNDI context of the names below a prefix (Java EE 7, EE.5.3.4). */
@SuppressWarnings({"JdkObsolete", "BanJNDI"}) // the API; nothing here comes from a network
final class EnvContext implements Context {

    private final Naming naming;
    private final String prefix;

    EnvContext(Naming naming, String prefix) {
        this.naming = naming;
        this.prefix = prefix;
    }

    private String full(String name) {
        return prefix.isEmpty() || name.startsWith("java:") ? name : name.isEmpty() ? prefix : prefix + "/" + name;
    }

    @Override
    public Object lookup(Name name) throws NamingException {
        return lookup(name.toString());
    }

    @Override
    public Object lookup(String name) throws NamingException {
        return naming.lookup(full(name));
    }

    @Override
    public Object lookupLink(Name name) throws NamingException {
        return lookup(name);
    }

    @Override
    public Object lookupLink(String name) throws NamingException {
        return lookup(name);
    }

    @Override
    public NamingEnumeration<NameClassPair> list(Name name) throws NamingException {
        return list(name.toString());
    }

    @Override
    public NamingEnumeration<NameClassPair> list(String name) throws NamingException {
        List<NameClassPair> pairs = new ArrayList<>();
        for (Binding binding : bindings(name)) {
            pairs.add(new NameClassPair(binding.getName(), binding.getClassName()));
        }
        return new Listed<>(pairs.iterator());
    }

    @Override
    public NamingEnumeration<Binding> listBindings(Name name) throws NamingException {
        return listBindings(name.toString());
    }

    @Override
    public NamingEnumeration<Binding> listBindings(String name) throws NamingException {
        return new Listed<>(bindings(name).iterator());
    }

    private List<Binding> bindings(String name) throws NamingException {
        if (!(lookup(name) instanceof EnvContext context)) {
            throw new NotContextException("java:" + full(name) + " is bound to an object, not to a context");
        }
        List<Binding> bindings = new ArrayList<>();
        for (String child : naming.below(context.prefix)) {
            bindings.add(new Binding(child, context.lookup(child)));
        }
        return bindings;
    }

    @Override
    public NameParser getNameParser(Name name) {
        return getNameParser(name.toString());
    }

    @Override
    public NameParser getNameParser(String name) {
        Properties syntax = new Properties();
        syntax.setProperty("jndi.syntax.direction", "left_to_right");
        syntax.setProperty("jndi.syntax.separator", "/");
        return text -> new CompoundName(text, syntax);
    }

    @Override
    public Name composeName(Name name, Name prefixName) throws NamingException {
        return ((Name) prefixName.clone()).addAll(name);
    }

    @Override
    public String composeName(String name, String prefixName) throws NamingException {
        return new CompositeName(prefixName).addAll(new CompositeName(name)).toString();
    }

    @Override
    public String getNameInNamespace() {
        return "java:" + prefix;
    }

    @Override
    public Hashtable<?, ?> getEnvironment() {
        return new Hashtable<>(Collections.emptyMap());
    }

    @Override
    public Object addToEnvironment(String name, Object value) throws NamingException {
        throw readOnly();
    }

    @Override
    public Object removeFromEnvironment(String name) throws NamingException {
        throw readOnly();
    }

    @Override
    public void bind(Name name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public void bind(String name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rebind(Name name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rebind(String name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public void unbind(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public void unbind(String name) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rename(Name oldName, Name newName) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rename(String oldName, String newName) throws NamingException {
        throw readOnly();
    }

    @Override
    public void destroySubcontext(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public void destroySubcontext(String name) throws NamingException {
        throw readOnly();
    }

    @Override
    public Context createSubcontext(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public Context createSubcontext(String name) throws NamingException {
        throw readOnly();
    }

    private static OperationNotSupportedException readOnly() {
        return new OperationNotSupportedException("java:comp/env is read-only (Java EE 7, EE.5.3.4)");
    }

    /** Does nothing: a context holds no resources. */
    @Override
    public void close() {}

    /** The elements of a listing. */
    private record Listed<T>(Iterator<T> rest) implements NamingEnumeration<T> {

        @Override
        public T next() {
            return rest.next();
        }

        @Override
        public boolean hasMore() {
            return rest.hasNext();
        }

        @Override
        public T nextElement() {
            return rest.next();
        }

        @Override
        public boolean hasMoreElements() {
            return rest.hasNext();
        }

        @Override
        public void close() {}
    }
}
