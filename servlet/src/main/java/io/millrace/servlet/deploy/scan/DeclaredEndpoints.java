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

/**
 * The WebSocket endpoints that class files declare (JSR 356, 6.2); none if the container serves no endpoints, as then no
 * initializer handles their types.
 *
 * @param annotated the names of classes with {@code @ServerEndpoint}, by path
 * @param choosers the names of {@code ServerApplicationConfig} classes: if there is one, only its code determines the endpoints
 *     and their paths
 */
public record DeclaredEndpoints(SortedMap<String, String> annotated, SortedSet<String> choosers) {

    /** No endpoints, without a scan. */
    public static final DeclaredEndpoints NONE = new DeclaredEndpoints(new TreeMap<>(), new TreeSet<>());

    private static final DotName ENDPOINT = DotName.createSimple("javax.websocket.server.ServerEndpoint");
    private static final String CHOOSER = "javax.websocket.server.ServerApplicationConfig";

    /** The endpoints in places that were scanned for the initializers' types. */
    public static DeclaredEndpoints find(List<ScannedPlace> places, ClassFiles files) throws IOException {
        SortedMap<String, String> annotated = new TreeMap<>();
        List<ClassHeader> headers = new ArrayList<>();
        for (ScannedPlace place : places) {
            headers.addAll(place.headers());
            for (AnnotationInstance instance : place.index().getAnnotations(ENDPOINT)) {
                ClassInfo type = instance.target().asClass();
                AnnotationValue path = instance.value();
                if (path != null && Modifier.isPublic(type.flags()) && !Modifier.isAbstract(type.flags())) {
                    annotated.put(path.asString(), type.name().toString());
                }
            }
        }
        return new DeclaredEndpoints(annotated, new TreeSet<>(new TypeHierarchy(headers, files).subtypes(CHOOSER)));
    }
}
