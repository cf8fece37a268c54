package io.millrace.servlet.deploy.xml;

import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.FilterMappingModel;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import javax.servlet.DispatcherType;

/** Reads filter and filter-mapping. */
final class FilterElements {

    private final Descriptor descriptor;
    private final Paths paths;
    private final Set<String> declared = new HashSet<>();

    /** @param old true for a 2.2 descriptor, whose paths may lack the leading slash */
    FilterElements(Descriptor descriptor, boolean old) {
        this.descriptor = descriptor;
        this.paths = new Paths(descriptor, old);
    }

    void filter(XmlElement element) throws DeploymentException {
        String name = element.required("filter-name");
        if (!declared.add(name)) {
            throw element.error("duplicate filter \"" + name + "\"; a filter's name must be unique");
        }
        FilterDeclaration filter = descriptor.filter(name);
        filter.className = element.childText("filter-class");
        filter.asyncSupported = ServletElements.flag(element, "async-supported");
        for (XmlElement parameter : element.children("init-param")) {
            ServletElements.parameter(parameter, filter.initParameters::putIfAbsent, descriptor);
        }
    }

    void mapping(XmlElement element) throws DeploymentException {
        String name = element.required("filter-name");
        Set<DispatcherType> dispatchers = dispatchers(element);
        if (!element.has("url-pattern") && !element.has("servlet-name")) {
            throw element.error("the mapping of filter \"" + name + "\" needs a <url-pattern> or a <servlet-name>");
        }
        for (XmlElement target : element.children()) {
            if (target.name().equals("url-pattern")) {
                add(new FilterMappingModel(name, paths.filterPattern(target), null, dispatchers));
            } else if (target.name().equals("servlet-name")) {
                add(new FilterMappingModel(name, null, target.text(), dispatchers));
            }
        }
    }

    private void add(FilterMappingModel mapping) {
        descriptor.filterMappings.add(mapping);
    }

    private static Set<DispatcherType> dispatchers(XmlElement element) throws DeploymentException {
        Set<DispatcherType> dispatchers = EnumSet.noneOf(DispatcherType.class);
        for (XmlElement dispatcher : element.children("dispatcher")) {
            try {
                dispatchers.add(DispatcherType.valueOf(dispatcher.text().toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException e) {
                throw dispatcher.error("<dispatcher> must be REQUEST, FORWARD, INCLUDE, ASYNC or ERROR, not \""
                        + dispatcher.text() + "\"");
            }
        }
        return dispatchers.isEmpty() ? EnumSet.of(DispatcherType.REQUEST) : dispatchers;
    }
}
