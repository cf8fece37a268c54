package io.millrace.servlet.naming;

import io.millrace.servlet.model.NamingEntryModel;
import io.millrace.servlet.model.NamingEntryModel.Kind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/**
 * The names of one application, from when it is opened until it is closed. Threads find it by their context class loader, as
 * Tomcat's do. Any thread.
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
     * Makes names known to the threads of an application.
     *
     * @param loader its own
     * @param entries of web.xml
     * @param resources what the operator gives, by names below java:comp/env
     */
    public static Naming open(
            ClassLoader loader, List<NamingEntryModel> entries, Map<String, ResourceSource> resources) {
        Naming naming = new Naming(loader);
        resources.forEach((name, source) -> naming.bind(name, new NamedObject(source, loader)));
        entries.forEach(naming::bind);
        // several applications in code may have one loader: those without names leave it to the one that has some
        if (!naming.objects.isEmpty() || of(loader) == null) {
            synchronized (OPEN) {
                OPEN.put(loader, naming);
            }
        }
        announce();
        return naming;
    }

    /** The JDK looks for {@code javaURLContextFactory} in the subpackage java of each of these. */
    private static synchronized void announce() {
        String known = System.getProperty(Context.URL_PKG_PREFIXES);
        if (known == null || !List.of(known.split(":", -1)).contains(PACKAGES)) {
            System.setProperty(
                    Context.URL_PKG_PREFIXES, known == null || known.isEmpty() ? PACKAGES : known + ":" + PACKAGES);
        }
    }

    private void bind(String name, NamedObject object) {
        objects.put(plain(absolute(name)), object);
    }

    /** What the operator gives for a name stands; a reference to nothing is not there. */
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
     * Lets a name stand for another, as an annotation says that has both; nothing if it is bound.
     *
     * @param name such as {@code java:comp/env/jdbc/shop}
     */
    public void refer(String name, String target) {
        objects.putIfAbsent(plain(name), new NamedObject(application -> lookup(target), loader));
    }

    /** The name as it is looked up: below {@code java:comp/env} unless it begins with {@code java:}. */
    public static String absolute(String name) {
        return name.startsWith("java:") ? name : "java:" + ENVIRONMENT + "/" + name;
    }

    /** True if something is bound to it; making that may fail nonetheless. */
    public boolean has(String fullName) {
        return objects.containsKey(plain(fullName));
    }

    /**
     * That of the thread's application.
     *
     * @throws NamingException if it belongs to none
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
        throw new NamingException("java: names belong to web applications, and the context class loader of thread "
                + Thread.currentThread().getName() + " is of none");
    }

    /**
     * What has this name.
     *
     * @param fullName with or without {@code java:}
     * @throws NamingException if there is nothing of this name, or it can't be made
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
        throw new NameNotFoundException("java:" + name + " is not known to this application"
                + (objects.isEmpty() ? "; it has no names" : "; it has " + objects.keySet()));
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

    /** The names directly below one. */
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

    /** Closes what was made. Nobody finds anything any more. */
    @Override
    public void close() {
        synchronized (OPEN) {
            OPEN.remove(loader, this);
        }
        objects.values().forEach(NamedObject::close);
    }

    /** Null if no application of this loader is open. */
    private static @Nullable Naming of(ClassLoader loader) {
        synchronized (OPEN) {
            return OPEN.get(loader);
        }
    }
}
