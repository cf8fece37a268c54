package io.millrace.servlet.deploy.scan;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationValue;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jspecify.annotations.Nullable;

/**
 * The WebSocket endpoints that class files declare (JSR 356, 6.2).
 *
 * @param annotated the names of classes with {@code @ServerEndpoint}, by path
 * @param choosers the names of {@code ServerApplicationConfig} classes: if there is one, only its code determines the endpoints
 *     and their paths
 */
public record DeclaredEndpoints(SortedMap<String, String> annotated, SortedSet<String> choosers) {

    /** No endpoints, without a scan. */
    public static final DeclaredEndpoints NONE = new DeclaredEndpoints(new TreeMap<>(), new TreeSet<>());

    static final DotName ENDPOINT = DotName.createSimple("javax.websocket.server.ServerEndpoint");
    private static final String CHOOSER = "javax.websocket.server.ServerApplicationConfig";

    /** The endpoints in places that were scanned for the initializers' types. */
    public static DeclaredEndpoints find(List<ScannedPlace> places, ClassFiles files) throws IOException {
        List<ClassHeader> headers = new ArrayList<>();
        places.forEach(place -> headers.addAll(place.headers()));
        return new DeclaredEndpoints(
                annotated(places), new TreeSet<>(new TypeHierarchy(headers, files).subtypes(CHOOSER)));
    }

    /**
     * The name of a class that declares or chooses endpoints, in places that were not scanned for these types; null if there is
     * none. A ServerApplicationConfig is found only if it implements the interface itself, because the headers of other classes
     * were not read.
     */
    public static @Nullable String orphan(List<ScannedPlace> places) {
        SortedMap<String, String> annotated = annotated(places);
        if (!annotated.isEmpty()) {
            return annotated.values().iterator().next();
        }
        for (ScannedPlace place : places) {
            for (ClassInfo type : place.index().getKnownDirectImplementors(DotName.createSimple(CHOOSER))) {
                if (!type.isInterface() && !Modifier.isAbstract(type.flags())) {
                    return type.name().toString();
                }
            }
        }
        return null;
    }

    private static SortedMap<String, String> annotated(List<ScannedPlace> places) {
        SortedMap<String, String> annotated = new TreeMap<>();
        for (ScannedPlace place : places) {
            for (AnnotationInstance instance : place.index().getAnnotations(ENDPOINT)) {
                ClassInfo type = instance.target().asClass();
                AnnotationValue path = instance.value();
                if (path != null && Modifier.isPublic(type.flags()) && !Modifier.isAbstract(type.flags())) {
                    annotated.put(path.asString(), type.name().toString());
                }
            }
        }
        return annotated;
    }
}
