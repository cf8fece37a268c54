package io.millrace.servlet.session;

import java.io.ObjectInputFilter;
import java.lang.reflect.Proxy;
import java.security.Key;
import java.security.cert.CertPath;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which classes may go into a stored session, and come out of it (JEP 290): the web application's own, and what Java's public
 * packages hold but for those that open connections, load code or deserialize in turn. Whoever can write where sessions are
 * stored must not choose among all classes of the server. What the application's own libraries do when deserialized is theirs
 * to answer for; the limits hold for them too.
 */
final class SessionClasses implements ObjectInputFilter {

    /** Of one attribute. */
    static final int MAX_BYTES = 16 * 1024 * 1024;

    /** The reader's stack is what ends a structure that is nested deeper than the writer's stack was. */
    private static final int MAX_DEPTH = 100_000;

    /** Each takes five bytes. */
    private static final int MAX_REFERENCES = MAX_BYTES / 5;

    /** Of the Servlet API, whose loader is the server's. */
    private static final Set<String> API = Set.of("javax.servlet", "javax.servlet.http");

    /** Java's own, for use by anybody. */
    private static final List<String> JAVA = List.of("java.", "javax.", "org.w3c.", "org.xml.");

    /** Those of Java's packages, and all below them, whose objects connect, listen, load code or read other objects. */
    private static final List<String> ACTIVE_PACKAGES =
            List.of("java.rmi.", "javax.rmi.", "javax.management.remote.", "java.beans.beancontext.", "javax.script.");

    private static final Set<String> ACTIVE_CLASSES = Set.of(
            "java.security.SignedObject",
            "javax.crypto.SealedObject",
            "javax.management.BadAttributeValueExpException",
            "javax.management.loading.MLet",
            "javax.management.loading.PrivateMLet");

    /** Of Java's inner packages what public types are made of, or turn into when they are read. */
    private static final List<Class<?>> INNER_TYPES = List.of(Key.class, Certificate.class, CertPath.class);

    private static final Set<String> INNER_CLASSES = Set.of("sun.util.calendar.ZoneInfo");

    private static final List<String> INNER_PACKAGES =
            List.of("com.sun.org.apache.xerces.internal.dom.", "com.sun.org.apache.xerces.internal.jaxp.datatype.");

    /** What the container itself keeps in sessions: who logged in, and which request made them do so. */
    private static final Set<String> CONTAINER = Set.of(
            "io.millrace.servlet.session.SessionLogin",
            "io.millrace.servlet.session.DelegatedCredential",
            "io.millrace.servlet.identity.Identity",
            "io.millrace.servlet.security.SavedRequest");

    private final ClassLoader application;
    private final Pattern names;
    private final Pattern types;

    /**
     * @param application its loader
     * @param settings which attributes are kept, and which classes are kept and let in, of those above
     */
    SessionClasses(ClassLoader application, SessionSettings settings) {
        this.application = application;
        names = settings.get(SessionSettings.SESSION_ATTRIBUTE_NAME_FILTER);
        types = settings.get(SessionSettings.SESSION_ATTRIBUTE_VALUE_CLASS_NAME_FILTER);
    }

    /** A class that the application may not see, and its sessions may hold. */
    static boolean isContainers(String name) {
        return CONTAINER.contains(name);
    }

    /** Does the operator want such an attribute to be stored? */
    boolean keeps(String name, Class<?> type) {
        return names.matcher(name).matches() && isWanted(type);
    }

    @Override
    public Status checkInput(FilterInfo info) {
        boolean tooMuch = info.depth() > MAX_DEPTH
                || info.references() > MAX_REFERENCES
                || info.streamBytes() > MAX_BYTES
                || info.arrayLength() > MAX_BYTES;
        if (tooMuch) {
            return Status.REJECTED;
        }
        Class<?> type = info.serialClass();
        if (type == null) {
            return Status.UNDECIDED;
        }
        return admits(type) ? Status.ALLOWED : Status.REJECTED;
    }

    /** True if objects of this class may be stored. */
    boolean admits(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        if (element.isPrimitive() || CONTAINER.contains(element.getName())) {
            return true;
        }
        boolean harmless = API.contains(element.getPackageName())
                || isApplications(element)
                || Proxy.isProxyClass(element)
                || isJavas(element);
        return harmless && isWanted(element);
    }

    private static boolean isJavas(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        if (loader != null && !loader.equals(ClassLoader.getPlatformClassLoader())) {
            return false;
        }
        String name = type.getName();
        if (JAVA.stream().noneMatch(name::startsWith)) {
            return INNER_TYPES.stream().anyMatch(each -> each.isAssignableFrom(type))
                    || INNER_CLASSES.contains(name)
                    || INNER_PACKAGES.stream().anyMatch(name::startsWith);
        }
        return Throwable.class.isAssignableFrom(type) && !ACTIVE_CLASSES.contains(name)
                || type.getModule().isExported(type.getPackageName())
                        && !ACTIVE_CLASSES.contains(name)
                        && ACTIVE_PACKAGES.stream().noneMatch(name::startsWith);
    }

    /** Of its own loader, or of one below, as classes of pages are. Not of one above, which is the server's. */
    private boolean isApplications(Class<?> type) {
        for (ClassLoader loader = type.getClassLoader(); loader != null; loader = loader.getParent()) {
            if (loader.equals(application)) {
                return true;
            }
        }
        return false;
    }

    private boolean isWanted(Class<?> type) {
        return types.matcher(type.getName()).matches();
    }
}
