package io.millrace.servlet.deploy.scan;

import io.millrace.servlet.log.ServletLog;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.Initializer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.servlet.ServletContainerInitializer;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationValue;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.Type;
import org.jspecify.annotations.Nullable;

/** Finds the ServletContainerInitializers and the types they handle, and instantiates them (Servlet 3.1, 8.2.4). */
public final class Initializers {

    private static final DotName HANDLES = DotName.createSimple("javax.servlet.annotation.HandlesTypes");

    /** Jasper's own initializer, and its replacement, which does not open every JAR again. */
    private static final String JASPER = "org.apache.jasper.servlet.JasperInitializer";

    private static final String JSP = "io.millrace.jsp.JspInitializer";

    /** Millrace's initializer for WebSocket endpoints, and those of other implementations, which applications may include. */
    private static final String WEBSOCKET = "io.millrace.websocket.jsr.server.WebSocketInitializer";

    private static final List<String> OTHER_WEBSOCKETS = List.of(
            "org.apache.tomcat.websocket.server.WsSci",
            "org.glassfish.tyrus.servlet.TyrusServletContainerInitializer",
            "org.eclipse.jetty.websocket.jsr356.server.deploy.WebSocketServerContainerInitializer",
            "org.eclipse.jetty.websocket.javax.server.config.JavaxWebSocketServletContainerInitializer");

    /** The names of the handled types by initializer class, in the order of calls. */
    private final Map<String, List<String>> handled = new LinkedHashMap<>();

    private final ClassLoader parent;
    /** Initializer classes of the parent class loader, which are loaded from it even if hidden from applications. */
    private final Set<String> containers = new LinkedHashSet<>();

    private Initializers(ClassLoader parent) {
        this.parent = parent;
    }

    /**
     * Finds those of the container, then of WEB-INF/classes, then of the JARs.
     *
     * @param libraries in order, without those that web.xml excludes
     */
    public static Initializers find(
            ClassLoader parent, ClassesDirectory classes, List<LibraryJar> libraries, ClassFiles files)
            throws IOException {
        Initializers initializers = new Initializers(parent);
        for (URL url : Collections.list(parent.getResources(ServiceFile.INITIALIZERS))) {
            try (InputStream in = url.openStream()) {
                initializers.containers.addAll(
                        ServiceFile.names(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
            }
        }
        Set<String> names = new LinkedHashSet<>(initializers.containers);
        names.addAll(ServiceFile.names(classes.text(ServiceFile.INITIALIZERS)));
        for (LibraryJar library : libraries) {
            names.addAll(ServiceFile.names(library.text(ServiceFile.INITIALIZERS)));
        }
        if (names.contains(JSP)) {
            names.remove(JASPER);
        }
        if (names.contains(WEBSOCKET)) {
            names.removeIf(Initializers::isOtherWebSocket);
        }
        ClassFiles own = new ClassFiles(parent); // the application does not see the container's classes
        for (String name : names) {
            ClassFiles from = initializers.containers.contains(name) ? own : files;
            initializers.handled.put(name, handledTypes(from.info(name)));
        }
        return initializers;
    }

    /** Excluded, as two implementations in one application would each handle some of its handshakes. */
    private static boolean isOtherWebSocket(String initializer) {
        boolean other = OTHER_WEBSOCKETS.contains(initializer);
        if (other) {
            ServletLog.DEPLOY.initializerSkipped(initializer);
        }
        return other;
    }

    /** Read from the class file, because reflection fails if one of the types is missing, such as optional ones of frameworks. */
    private static List<String> handledTypes(@Nullable ClassInfo initializer) {
        AnnotationInstance annotation = initializer == null ? null : initializer.declaredAnnotation(HANDLES);
        AnnotationValue value = annotation == null ? null : annotation.value();
        List<String> names = new ArrayList<>();
        if (value != null) {
            for (Type type : value.asClassArray()) {
                names.add(type.name().toString());
            }
        }
        return names;
    }

    /** Whether the application has no initializers of its own. */
    public boolean isEmpty() {
        return containers.containsAll(handled.keySet());
    }

    /** The types that any initializer handles. */
    public Set<String> types() {
        Set<String> types = new LinkedHashSet<>();
        handled.values().forEach(types::addAll);
        return types;
    }

    /** Whether one of them deploys WebSocket endpoints: the server's, or one in the application's libraries. */
    public boolean deploysEndpoints() {
        String endpoint = DeclaredEndpoints.ENDPOINT.toString();
        return handled.values().stream().anyMatch(types -> types.contains(endpoint));
    }

    /** Instantiates the initializers. */
    public List<Initializer> create(ClassLoader loader, HandledTypes types) throws DeploymentException {
        List<Initializer> initializers = new ArrayList<>();
        for (Map.Entry<String, List<String>> entry : handled.entrySet()) {
            Set<Class<?>> found = new LinkedHashSet<>();
            for (String type : entry.getValue()) {
                found.addAll(types.matching(entry.getKey(), type));
            }
            ClassLoader from = containers.contains(entry.getKey()) ? parent : loader;
            initializers.add(new Initializer(create(from, entry.getKey()), found.isEmpty() ? null : found));
        }
        return List.copyOf(initializers);
    }

    private static ServletContainerInitializer create(ClassLoader loader, String name) throws DeploymentException {
        try {
            return loader.loadClass(name)
                    .asSubclass(ServletContainerInitializer.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
            throw new DeploymentException(
                    "the ServletContainerInitializer " + name + " cannot be instantiated: " + e
                            + "; add what it needs to WEB-INF/lib, or exclude its JAR by an <absolute-ordering>",
                    e);
        }
    }
}
