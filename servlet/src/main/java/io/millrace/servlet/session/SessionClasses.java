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
 * The deserialization filter of stored sessions (JEP 290), also applied when they are written. It admits the web application's
 * classes, and the public classes of the JDK except those that open connections, load code or deserialize. An attacker who can
 * write to the session store must not be able to instantiate any class of the server. It does not protect against gadgets in the
 * application's own libraries; its limits apply to them too.
 */
final class SessionClasses implements ObjectInputFilter {

    /** Largest size of an attribute. */
    static final int MAX_BYTES = 16 * 1024 * 1024;

    /** Only a bound: deeper nesting overflows the stack first. */
    private static final int MAX_DEPTH = 100_000;

    /** A reference takes five bytes. */
    private static final int MAX_REFERENCES = MAX_BYTES / 5;

    /** Packages of the Servlet API, which the server's loader defines. */
    private static final Set<String> API = Set.of("javax.servlet", "javax.servlet.http");

    /** Public packages of the JDK. */
    private static final List<String> JAVA = List.of("java.", "javax.", "org.w3c.", "org.xml.");

    /** Packages of the JDK, with all below them, whose objects connect, listen, load code or deserialize others. */
    private static final List<String> ACTIVE_PACKAGES =
            List.of("java.rmi.", "javax.rmi.", "javax.management.remote.", "java.beans.beancontext.", "javax.script.");

    private static final Set<String> ACTIVE_CLASSES = Set.of(
            "java.security.SignedObject",
            "javax.crypto.SealedObject",
            "javax.management.BadAttributeValueExpException",
            "javax.management.loading.MLet",
            "javax.management.loading.PrivateMLet");

    /** Classes in internal packages of the JDK that implement public types, or replace them in serialized form. */
    private static final List<Class<?>> INNER_TYPES = List.of(Key.class, Certificate.class, CertPath.class);

    private static final Set<String> INNER_CLASSES = Set.of("sun.util.calendar.ZoneInfo");

    private static final List<String> INNER_PACKAGES =
            List.of("com.sun.org.apache.xerces.internal.dom.", "com.sun.org.apache.xerces.internal.jaxp.datatype.");

    /** The container's own objects in sessions: the login and the saved request. */
    private static final Set<String> CONTAINER = Set.of(
            "io.millrace.servlet.session.SessionLogin",
            "io.millrace.servlet.session.DelegatedCredential",
            "io.millrace.servlet.identity.Identity",
            "io.millrace.servlet.security.SavedRequest");

    private final ClassLoader application;
    private final Pattern names;
    private final Pattern types;

    /**
     * @param application the application's class loader
     * @param settings further restrict the attributes and classes
     */
    SessionClasses(ClassLoader application, SessionSettings settings) {
        this.application = application;
        names = settings.get(SessionSettings.SESSION_ATTRIBUTE_NAME_FILTER);
        types = settings.get(SessionSettings.SESSION_ATTRIBUTE_VALUE_CLASS_NAME_FILTER);
    }

    /** A class of the container, which sessions may contain although the application cannot load it. */
    static boolean isContainerClass(String name) {
        return CONTAINER.contains(name);
    }

    /** Whether the operator's filters permit this attribute to be stored. */
    boolean keeps(String name, Class<?> type) {
        return names.matcher(name).matches() && isPermitted(type);
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

    /** Whether objects of this class may be stored. */
    boolean admits(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        if (element.isPrimitive() || CONTAINER.contains(element.getName())) {
            return true;
        }
        boolean harmless = API.contains(element.getPackageName())
                || isApplicationClass(element)
                || Proxy.isProxyClass(element)
                || isPlatformClass(element);
        return harmless && isPermitted(element);
    }

    private static boolean isPlatformClass(Class<?> type) {
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

    /**
     * True for classes of the application's loader or a descendant, such as those of JSP pages; not of its parents, which are the
     * server's.
     */
    private boolean isApplicationClass(Class<?> type) {
        for (ClassLoader loader = type.getClassLoader(); loader != null; loader = loader.getParent()) {
            if (loader.equals(application)) {
                return true;
            }
        }
        return false;
    }

    private boolean isPermitted(Class<?> type) {
        return types.matcher(type.getName()).matches();
    }
}
