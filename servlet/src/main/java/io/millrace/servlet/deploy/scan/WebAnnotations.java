package io.millrace.servlet.deploy.scan;

import io.millrace.servlet.deploy.xml.Descriptor;
import io.millrace.servlet.deploy.xml.FilterDeclaration;
import io.millrace.servlet.deploy.xml.ServletDeclaration;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.FilterMappingModel;
import io.millrace.servlet.model.MultipartModel;
import io.millrace.servlet.model.UrlPattern;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.servlet.DispatcherType;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.AnnotationValue;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jspecify.annotations.Nullable;

/** Reads WebServlet, WebFilter and WebListener (Servlet 3.1, 8.1) of one place, in the order of the classes' names. */
public final class WebAnnotations {

    static final List<String> NAMES = List.of("WebServlet", "WebFilter", "WebListener");

    private static final String PACKAGE = "javax.servlet.annotation.";
    private static final DotName SERVLET = DotName.createSimple(PACKAGE + "WebServlet");
    private static final DotName FILTER = DotName.createSimple(PACKAGE + "WebFilter");
    private static final DotName LISTENER = DotName.createSimple(PACKAGE + "WebListener");
    static final DotName MULTIPART = DotName.createSimple(PACKAGE + "MultipartConfig");

    private final Descriptor descriptor;

    private WebAnnotations(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * The declarations of one place's annotations.
     *
     * @param source the place's path, for messages
     */
    public static Descriptor read(String source, IndexView index) throws DeploymentException {
        WebAnnotations reader = new WebAnnotations(new Descriptor(source));
        for (AnnotationInstance annotation : onClasses(index, SERVLET)) {
            reader.servlet(annotation);
        }
        for (AnnotationInstance annotation : onClasses(index, FILTER)) {
            reader.filter(annotation);
        }
        for (AnnotationInstance annotation : onClasses(index, LISTENER)) {
            reader.descriptor.listeners.add(className(annotation));
        }
        return reader.descriptor;
    }

    private static List<AnnotationInstance> onClasses(IndexView index, DotName name) {
        return index.getAnnotations(name).stream()
                .filter(annotation -> annotation.target().kind() == AnnotationTarget.Kind.CLASS)
                .sorted(Comparator.comparing(WebAnnotations::className))
                .toList();
    }

    private static String className(AnnotationInstance annotation) {
        return annotation.target().asClass().name().toString();
    }

    private void servlet(AnnotationInstance annotation) throws DeploymentException {
        String className = className(annotation);
        String name = free(annotation, text(annotation, "name", className), descriptor.servlets.keySet());
        ServletDeclaration servlet = descriptor.servlet(name);
        servlet.className = className;
        AnnotationValue load = annotation.value("loadOnStartup");
        servlet.loadOnStartup = load == null ? null : Integer.valueOf(load.asInt());
        servlet.asyncSupported = flag(annotation);
        initParameters(annotation, servlet.initParameters);
        for (String pattern : patterns(annotation, UnaryOperator.identity())) {
            String other = descriptor.servletMappings.put(pattern, name);
            if (other != null) {
                throw error(
                        annotation,
                        "the URL pattern \"" + pattern + "\" is already mapped to the servlet \"" + other + "\"");
            }
        }
    }

    private void filter(AnnotationInstance annotation) throws DeploymentException {
        String className = className(annotation);
        String name = free(annotation, text(annotation, "filterName", className), descriptor.filters.keySet());
        FilterDeclaration filter = descriptor.filter(name);
        filter.className = className;
        filter.asyncSupported = flag(annotation);
        initParameters(annotation, filter.initParameters);
        Set<DispatcherType> dispatchers = dispatchers(annotation);
        for (String pattern : patterns(annotation, UrlPattern::ofFilter)) {
            descriptor.filterMappings.add(new FilterMappingModel(name, pattern, null, dispatchers));
        }
        for (String servlet : texts(annotation, "servletNames")) {
            descriptor.filterMappings.add(new FilterMappingModel(name, null, servlet, dispatchers));
        }
    }

    /**
     * The name, or that of the class if another class has it. Tomcat leaves one of the two out, which may be the filter that guards the
     * other, or the one that is asked for.
     */
    private String free(AnnotationInstance annotation, String name, Set<String> taken) throws DeploymentException {
        if (!taken.contains(name)) {
            return name;
        }
        String own = className(annotation);
        if (taken.contains(own)) {
            throw error(
                    annotation,
                    "other classes have the names \"" + name + "\" and \"" + own + "\"; rename one of them");
        }
        descriptor.notes.add(error(
                        annotation,
                        "another class has the name \"" + name
                                + "\" too. Both are used, this one by the name of its class; rename one of them")
                .getMessage());
        return own;
    }

    private static Set<DispatcherType> dispatchers(AnnotationInstance annotation) {
        AnnotationValue value = annotation.value("dispatcherTypes");
        Set<DispatcherType> dispatchers = EnumSet.noneOf(DispatcherType.class);
        if (value != null) {
            for (String name : value.asEnumArray()) {
                dispatchers.add(DispatcherType.valueOf(name));
            }
        }
        return dispatchers.isEmpty() ? EnumSet.of(DispatcherType.REQUEST) : dispatchers;
    }

    private List<String> patterns(AnnotationInstance annotation, UnaryOperator<String> meant)
            throws DeploymentException {
        List<String> value = texts(annotation, "value");
        List<String> patterns = texts(annotation, "urlPatterns");
        if (!value.isEmpty() && !patterns.isEmpty()) {
            throw error(annotation, "value and urlPatterns are the same; set only one of them");
        }
        List<String> given = new ArrayList<>();
        for (String written : value.isEmpty() ? patterns : value) {
            String pattern = meant.apply(decoded(annotation, written));
            String problem = UrlPattern.problem(pattern);
            if (problem != null) {
                throw error(annotation, "\"" + written + "\" is not a URL pattern: " + problem);
            }
            given.add(pattern);
        }
        return given;
    }

    private String decoded(AnnotationInstance annotation, String written) throws DeploymentException {
        try {
            String pattern = UrlPattern.decoded(written);
            String note = UrlPattern.note(written, pattern);
            if (note != null) {
                descriptor.notes.add(error(annotation, note).getMessage());
            }
            return pattern;
        } catch (IllegalArgumentException e) {
            throw error(annotation, "\"" + written + "\" is not a URL pattern: " + e.getMessage());
        }
    }

    private static void initParameters(AnnotationInstance annotation, Map<String, String> parameters) {
        AnnotationValue value = annotation.value("initParams");
        if (value != null) {
            for (AnnotationInstance parameter : value.asNestedArray()) {
                parameters.put(text(parameter, "name", ""), text(parameter, "value", ""));
            }
        }
    }

    /** The limits of a MultipartConfig. */
    static MultipartModel multipart(AnnotationInstance annotation) {
        AnnotationValue fileSize = annotation.value("maxFileSize");
        AnnotationValue requestSize = annotation.value("maxRequestSize");
        AnnotationValue threshold = annotation.value("fileSizeThreshold");
        return new MultipartModel(
                text(annotation, "location", ""),
                fileSize == null ? -1 : fileSize.asLong(),
                requestSize == null ? -1 : requestSize.asLong(),
                threshold == null ? 0 : threshold.asInt());
    }

    private static @Nullable Boolean flag(AnnotationInstance annotation) {
        AnnotationValue value = annotation.value("asyncSupported");
        return value == null ? null : Boolean.valueOf(value.asBoolean());
    }

    private static String text(AnnotationInstance annotation, String attribute, String otherwise) {
        AnnotationValue value = annotation.value(attribute);
        return value == null || value.asString().isEmpty() ? otherwise : value.asString();
    }

    private static List<String> texts(AnnotationInstance annotation, String attribute) {
        AnnotationValue value = annotation.value(attribute);
        return value == null ? List.of() : List.of(value.asStringArray());
    }

    private DeploymentException error(AnnotationInstance annotation, String problem) {
        return new DeploymentException("the @" + annotation.name().withoutPackagePrefix() + " of class "
                + className(annotation) + " in " + descriptor.source + ": " + problem);
    }
}
