package io.millrace.servlet.deploy.xml;

import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.JspPropertyGroupModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads jsp-config for a JSP engine; checks only its structure. */
final class JspElements {

    private static final Set<String> LISTS = Set.of("url-pattern", "include-prelude", "include-coda");

    private final Descriptor descriptor;
    private final Paths paths;

    JspElements(Descriptor descriptor) {
        this.descriptor = descriptor;
        this.paths = new Paths(descriptor, false);
    }

    void config(XmlElement element) throws DeploymentException {
        for (XmlElement taglib : element.children("taglib")) {
            taglib(taglib);
        }
        for (XmlElement group : element.children("jsp-property-group")) {
            descriptor.jspPropertyGroups.add(group(group));
        }
    }

    /** A taglib element; up to 2.3 a child of web-app. */
    void taglib(XmlElement element) throws DeploymentException {
        descriptor.taglibs.put(element.required("taglib-uri"), element.required("taglib-location"));
    }

    private JspPropertyGroupModel group(XmlElement element) throws DeploymentException {
        Map<String, String> properties = new LinkedHashMap<>();
        for (XmlElement property : element.children()) {
            if (!LISTS.contains(property.name())) {
                properties.put(property.name(), property.text());
            }
        }
        List<String> patterns = new ArrayList<>();
        for (XmlElement pattern : element.children("url-pattern")) {
            patterns.add(paths.groupPattern(pattern));
        }
        return new JspPropertyGroupModel(
                patterns, properties, element.childTexts("include-prelude"), element.childTexts("include-coda"));
    }
}
