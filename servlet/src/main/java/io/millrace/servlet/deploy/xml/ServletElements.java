package io.millrace.servlet.deploy.xml;

import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.MultipartModel;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Reads servlet and servlet-mapping. */
final class ServletElements {

    /** The value of an empty load-on-startup element, as in JBoss and old versions of Tomcat. */
    private static final int LOAD_IN_ANY_ORDER = 0;

    private final Descriptor descriptor;
    private final Paths paths;
    private final Set<String> declared = new HashSet<>();

    /** @param old true for a 2.2 descriptor, whose paths may lack the leading slash */
    ServletElements(Descriptor descriptor, boolean old) {
        this.descriptor = descriptor;
        this.paths = new Paths(descriptor, old);
    }

    void servlet(DescriptorElement element) throws DeploymentException {
        String name = element.required("servlet-name");
        if (!declared.add(name)) { // the last one applies, as in Tomcat
            descriptor.notes.add(
                    element.where() + ": duplicate servlet \"" + name + "\"; this one replaces the one before");
            descriptor.servlets.remove(name);
        }
        ServletDeclaration servlet = descriptor.servlet(name);
        servlet.className = element.childText("servlet-class");
        DescriptorElement jspFile = element.child("jsp-file");
        servlet.jspFile = jspFile == null ? null : paths.path(jspFile);
        if (servlet.className != null && servlet.jspFile != null) {
            throw element.error("servlet \"" + name + "\" has both a <servlet-class> and a <jsp-file>; remove one");
        }
        servlet.loadOnStartup = loadOnStartup(element.child("load-on-startup"));
        servlet.asyncSupported = flag(element, "async-supported");
        servlet.enabled = flag(element, "enabled");
        DescriptorElement runAs = element.child("run-as");
        servlet.runAs = runAs == null ? null : runAs.required("role-name");
        servlet.multipart = multipart(element.child("multipart-config"));
        for (DescriptorElement parameter : element.children("init-param")) {
            parameter(parameter, servlet.initParameters::putIfAbsent, descriptor);
        }
        for (DescriptorElement reference : element.children("security-role-ref")) {
            String role = reference.required("role-name");
            String link = reference.childText("role-link");
            servlet.roleReferences.put(role, link == null ? role : link);
        }
    }

    void mapping(DescriptorElement element) throws DeploymentException {
        String name = element.required("servlet-name");
        if (!element.has("url-pattern")) {
            throw element.error("the mapping of servlet \"" + name + "\" needs a <url-pattern>");
        }
        for (DescriptorElement pattern : element.children("url-pattern")) {
            String path = paths.pattern(pattern);
            String other = descriptor.servletMappings.put(path, name);
            if (other != null && !other.equals(name)) {
                throw pattern.error("\"" + path + "\" is mapped to the servlets \"" + other + "\" and \"" + name
                        + "\"; a URL pattern belongs to one servlet");
            }
        }
    }

    /** Reads an init-param or a context-param; one without a name or a value is as good as none, as in Tomcat. */
    static void parameter(DescriptorElement parameter, BiConsumer<String, String> taker, Descriptor descriptor) {
        String name = parameter.childText("param-name");
        DescriptorElement value = parameter.child("param-value");
        if (name == null || value == null) {
            descriptor.notes.add(
                    parameter.where() + ": <" + parameter.name() + ">" + (name == null ? "" : " \"" + name + "\"")
                            + " has no <" + (name == null ? "param-name" : "param-value") + ">, and is ignored");
        } else {
            taker.accept(name, value.text());
        }
    }

    static @Nullable Boolean flag(DescriptorElement element, String child) throws DeploymentException {
        DescriptorElement found = element.child(child);
        return found == null ? null : found.flag();
    }

    private static @Nullable Integer loadOnStartup(@Nullable DescriptorElement element) throws DeploymentException {
        if (element == null) {
            return null;
        }
        return element.text().isEmpty() ? LOAD_IN_ANY_ORDER : element.integer();
    }

    private static @Nullable MultipartModel multipart(@Nullable DescriptorElement element) throws DeploymentException {
        if (element == null) {
            return null;
        }
        String location = element.childText("location");
        DescriptorElement fileSize = element.child("max-file-size");
        DescriptorElement requestSize = element.child("max-request-size");
        DescriptorElement threshold = element.child("file-size-threshold");
        return new MultipartModel(
                location == null ? "" : location,
                fileSize == null ? -1 : fileSize.number(),
                requestSize == null ? -1 : requestSize.number(),
                threshold == null ? 0 : threshold.integer());
    }
}
