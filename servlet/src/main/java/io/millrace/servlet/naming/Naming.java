package io.millrace.servlet.naming;

import io.millrace.servlet.model.NamingEntryModel;
import io.millrace.servlet.model.NamingEntryModel.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import javax.naming.Binding;
import javax.naming.CompositeName;
import javax.naming.CompoundName;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NameParser;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import javax.naming.OperationNotSupportedException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The {@code java:} names of one application while it runs. Lookups find the application by the thread's context class loader,
 * as in Tomcat. Thread-safe.
 */
public final class Naming implements AutoCloseable {

    private static final String ENVIRONMENT = "comp/env";
    private static final String PACKAGES = "io.millrace.servlet.naming";

    private static final Map<ClassLoader, Naming> OPEN = new WeakHashMap<>();

    private final ConcurrentSkipListMap<String, NamedObject> objects = new ConcurrentSkipListMap<>();
    private final ClassLoader loader;

    private Naming(ClassLoader loader) {
        this.loader = loader;
    }

    /**
     * Makes names available to the threads of an application.
     *
     * @param loader the application's class loader
     * @param entries the entries of its descriptors and annotations; their values override {@code resources}
     * @param resources the operator's resources by name, relative to {@code java:comp/env} unless it begins with {@code java:}
     */
    public static Naming open(
            ClassLoader loader, List<NamingEntryModel> entries, Map<String, ResourceSource> resources) {
        Naming naming = new Naming(loader);
        resources.forEach((name, source) -> naming.bind(name, new NamedObject(source, loader)));
        entries.forEach(naming::bind);
        // several applications built in code may share a loader: one without names does not replace one with names
        if (!naming.objects.isEmpty() || of(loader) == null) {
            synchronized (OPEN) {
                OPEN.put(loader, naming);
            }
        }
        announce();
        return naming;
    }

    /** The JDK looks for {@code javaURLContextFactory} in the subpackage {@code java} of each package in this property. */
    private static synchronized void announce() {
        String known = System.getProperty(Context.URL_PKG_PREFIXES);
        if (known == null || !List.of(known.split(":", -1)).contains(PACKAGES)) {
            System.setProperty(
                    Context.URL_PKG_PREFIXES, known == null || known.isEmpty() ? PACKAGES : known + ":" + PACKAGES);
        }
    }

    /** The database pools that are bound, by the names below {@code java:comp/env}. */
    public List<NamedPool> pools() {
        List<NamedPool> pools = new ArrayList<>();
        objects.forEach((name, object) -> {
            if (NamedPool.TYPES.contains(object.source.type()) && name.startsWith(ENVIRONMENT + "/")) {
                pools.add(new NamedPool(name.substring(ENVIRONMENT.length() + 1), () -> object.made));
            }
        });
        return pools;
    }

    private void bind(String name, NamedObject object) {
        objects.put(plain(absolute(name)), object);
    }

    /** An entry without value or lookup name binds nothing: the operator's resource of this name, if any, stays bound. */
    private void bind(NamingEntryModel entry) {
        String value = entry.value();
        String lookup = entry.lookup();
        if (entry.kind() == Kind.ENV_ENTRY && value != null) {
            String type = entry.type();
            bind(entry.name(), new NamedObject(application -> EnvValue.of(type, value, application), loader));
        } else if (lookup != null && lookup.startsWith("java:")) {
            bind(entry.name(), new NamedObject(application -> lookup(lookup), loader));
        }
    }

    /**
     * Makes a name an alias of another one, for annotations with {@code name} and {@code lookup}. Does nothing if the name is
     * bound.
     *
     * @param name such as {@code java:comp/env/jdbc/shop}
     * @param target the name to look up instead
     */
    public void refer(String name, String target) {
        objects.putIfAbsent(plain(name), new NamedObject(application -> lookup(target), loader));
    }

    /** Makes a name absolute: it is relative to {@code java:comp/env} unless it begins with {@code java:}. */
    public static String absolute(String name) {
        return name.startsWith("java:") ? name : "java:" + ENVIRONMENT + "/" + name;
    }

    /** Whether the name is bound. Its lookup may still fail, because objects are created on demand. */
    public boolean has(String fullName) {
        return objects.containsKey(plain(fullName));
    }

    /**
     * The names of the current thread's application.
     *
     * @throws NamingException if the thread's context class loader belongs to no application
     */
    static Naming current() throws NamingException {
        ClassLoader at = Thread.currentThread().getContextClassLoader();
        synchronized (OPEN) {
            while (at != null) {
                Naming found = OPEN.get(at);
                if (found != null) {
                    return found;
                }
                at = at.getParent();
            }
        }
        throw new NamingException(
                "java: names can be looked up only by threads of web applications, and the context class loader"
                        + " of thread " + Thread.currentThread().getName()
                        + " belongs to none; set it to that of an application");
    }

    /**
     * Returns the object of a name, or the context if there are names below it. The first lookup creates the object, which may
     * block.
     *
     * @param fullName with or without {@code java:}
     * @throws NamingException if the name is not bound, its object cannot be created, or the application has stopped
     */
    public Object lookup(String fullName) throws NamingException {
        String name = plain(fullName);
        NamedObject object = objects.get(name);
        if (object != null) {
            return object.get(name);
        }
        if (isContext(name)) {
            return new EnvContext(this, name);
        }
        throw new NameNotFoundException("java:" + name + " is not bound in this application"
                + (objects.isEmpty() ? ", which has no names" : ", which has the names " + objects.keySet()));
    }

    private static String plain(String fullName) {
        String name = fullName.startsWith("java:") ? fullName.substring("java:".length()) : fullName;
        int start = 0;
        int end = name.length();
        while (start < end && name.charAt(start) == '/') {
            start++;
        }
        while (end > start && name.charAt(end - 1) == '/') {
            end--;
        }
        return name.substring(start, end);
    }

    private boolean isContext(String name) {
        if (name.isEmpty() || name.equals("comp") || name.equals(ENVIRONMENT)) {
            return true;
        }
        String next = objects.higherKey(name + "/");
        return next != null && next.startsWith(name + "/");
    }

    /** The next segments of all names below a name. */
    Set<String> below(String name) {
        String prefix = name.isEmpty() ? "" : name + "/";
        TreeSet<String> found = new TreeSet<>();
        if ((ENVIRONMENT + "/").startsWith(prefix)) {
            String rest = ENVIRONMENT.substring(Math.min(prefix.length(), ENVIRONMENT.length()));
            if (!rest.isEmpty()) {
                found.add(rest.split("/", 2)[0]);
            }
        }
        for (String full : objects.keySet()) {
            if (full.startsWith(prefix)) {
                found.add(full.substring(prefix.length()).split("/", 2)[0]);
            }
        }
        return found;
    }

    /** Closes the objects that were created and belong to the application. Later lookups fail. */
    @Override
    public void close() {
        synchronized (OPEN) {
            OPEN.remove(loader, this);
        }
        objects.values().forEach(NamedObject::close);
    }

    /** The names of the application with this loader; null if none is open. */
    private static @Nullable Naming of(ClassLoader loader) {
        synchronized (OPEN) {
            return OPEN.get(loader);
        }
    }

    /** The object of a name, created at the first lookup. Thread-safe. */
    private static final class NamedObject {

        private final ResourceSource source;
        private final ClassLoader application;
        /** Written with the lock held. */
        private volatile @Nullable Object made;

        private boolean closed;

        NamedObject(ResourceSource source, ClassLoader application) {
            this.source = source;
            this.application = application;
        }

        /** Returns the object. The first caller creates it; concurrent callers wait for that. */
        synchronized Object get(String name) throws NamingException {
            Object object = made;
            if (closed) {
                throw new NamingException("java:" + name + " is no longer available: the application has stopped");
            }
            if (object == null) {
                object = make(name);
                made = object;
            }
            return object;
        }

        private Object make(String name) throws NamingException {
            try {
                return source.make(application);
            } catch (NamingException e) {
                throw e;
            } catch (Exception e) {
                NamingException failure = new NamingException("java:" + name + " cannot be created: " + e.getMessage());
                failure.initCause(e);
                throw failure;
            }
        }

        synchronized void close() {
            closed = true;
            Object object = made;
            if (object != null && source.isOwned(object)) {
                try {
                    source.close(object);
                } catch (Exception e) {
                    Logger.getLogger(Naming.class).debugf(e, "failed to close %s", object);
                }
            }
            made = null;
        }
    }

    /** A read-only JNDI context of the names below a prefix (Java EE 7, EE.5.3.4). */
    @SuppressWarnings({"JdkObsolete", "BanJNDI"}) // the API; nothing here comes from a network
    static final class EnvContext implements Context {

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
}
