package io.millrace.servlet.session;

import java.io.ObjectInputFilter;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which classes may come out of a stored session (JEP 290): the web application's own, and Java's for values. Whoever can
 * write where sessions are stored must not choose among all classes of the server. What the application's own libraries do
 * when deserialized is theirs to answer for; the limits hold for them too.
 */
final class SessionClasses implements ObjectInputFilter {

    /** Of one attribute. */
    static final int MAX_BYTES = 16 * 1024 * 1024;

    private static final int MAX_DEPTH = 500;
    private static final int MAX_REFERENCES = 1_000_000;

    /** Whole packages of values and containers, without those below them. */
    private static final Set<String> PACKAGES = Set.of(
            "java.lang",
            "java.math",
            "java.text",
            "java.time",
            "java.time.chrono",
            "java.time.zone",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "java.util.concurrent.locks",
            "java.util.regex",
            "javax.servlet",
            "javax.servlet.http");

    /** Of packages whose other classes open connections, load code or run it. */
    private static final Set<String> CLASSES = Set.of(
            "java.beans.PropertyChangeSupport",
            "java.beans.PropertyChangeEvent",
            "java.io.Externalizable",
            "java.io.File",
            "java.io.IOException",
            "java.io.Serializable",
            "java.io.UncheckedIOException",
            "java.lang.invoke.SerializedLambda",
            "java.lang.reflect.InvocationHandler",
            "java.lang.reflect.Proxy",
            "java.net.Inet4Address",
            "java.net.Inet6Address",
            "java.net.InetAddress",
            "java.net.InetSocketAddress",
            "java.net.URI",
            "java.security.Permissions",
            "java.security.cert.Certificate$CertificateRep",
            "java.security.cert.CertificateRep",
            "java.sql.Date",
            "java.sql.SQLException",
            "java.sql.Time",
            "java.sql.Timestamp",
            "java.awt.Color",
            "java.awt.Dimension",
            "java.awt.Point",
            "java.awt.Rectangle",
            "javax.security.auth.Subject",
            "javax.security.auth.x500.X500Principal",
            // what Calendar and DateFormat hold
            "sun.util.calendar.ZoneInfo");

    /** What the container itself keeps in sessions: who logged in, and which request made them do so. */
    private static final Set<String> CONTAINER = Set.of(
            "io.millrace.servlet.session.SessionLogin",
            "io.millrace.servlet.identity.Identity",
            "io.millrace.servlet.security.SavedRequest");

    private final ClassLoader application;
    private final @Nullable Pattern names;
    private final @Nullable Pattern types;

    /**
     * @param application its loader
     * @param names of attributes that are kept; null: all
     * @param types names of classes that are kept and let in, of those above; null: all
     */
    SessionClasses(ClassLoader application, @Nullable Pattern names, @Nullable Pattern types) {
        this.application = application;
        this.names = names;
        this.types = types;
    }

    /** A class that the application may not see, and its sessions may hold. */
    static boolean isContainers(String name) {
        return CONTAINER.contains(name);
    }

    /** Does the operator want such an attribute to be stored? */
    boolean keeps(String name, Class<?> type) {
        return (names == null || names.matcher(name).matches()) && isWanted(type);
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
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        return element.isPrimitive() || admits(element) ? Status.ALLOWED : Status.REJECTED;
    }

    private boolean admits(Class<?> type) {
        String name = type.getName();
        if (CONTAINER.contains(name)) {
            return true;
        }
        return (PACKAGES.contains(type.getPackageName())
                        || CLASSES.contains(name)
                        || isApplications(type)
                        || Proxy.isProxyClass(type))
                && isWanted(type);
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
        return types == null || types.matcher(type.getName()).matches();
    }
}
