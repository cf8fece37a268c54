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
 * The WebSocket endpoints that class files declare (JSR 356, 6.2); none where the container serves no endpoints, since nobody asks
 * for their types then.
 *
 * @param annotated the class names of those with {@code @ServerEndpoint}, by path
 * @param choosers class names of each {@code ServerApplicationConfig}: if there is one, its code alone says which endpoints are
 *     deployed, and where
 */
public record DeclaredEndpoints(SortedMap<String, String> annotated, SortedSet<String> choosers) {

    /** Where nobody has looked. */
    public static final DeclaredEndpoints NONE = new DeclaredEndpoints(new TreeMap<>(), new TreeSet<>());

    private static final DotName ENDPOINT = DotName.createSimple("javax.websocket.server.ServerEndpoint");
    private static final String CHOOSER = "javax.websocket.server.ServerApplicationConfig";

    /** In these places, which were searched for what initializers ask for. */
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
        return new DeclaredEndpoints(annotated, new TreeSet<>(new TypeHierarchy(headers, files).below(CHOOSER)));
    }
}
