package io.millrace.servlet.deploy.xml;

import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.UrlPattern;
import org.jboss.logging.Logger;

/** Reads paths and URL patterns. Adds the leading slash that may be missing in a 2.2 descriptor. */
final class Paths {

    private static final Logger LOG = Logger.getLogger(Paths.class);

    private final Descriptor descriptor;
    private final boolean old;

    Paths(Descriptor descriptor, boolean old) {
        this.descriptor = descriptor;
        this.old = old;
    }

    String filterPattern(DescriptorElement element) throws DeploymentException {
        return pattern(element, UrlPattern.ofFilter(element.text()));
    }

    String pattern(DescriptorElement element) throws DeploymentException {
        return pattern(element, element.text());
    }

    private String pattern(DescriptorElement element, String text) throws DeploymentException {
        String written = old && !text.startsWith("*") ? withSlash(element) : text;
        String pattern = decoded(element, written);
        String problem = UrlPattern.problem(pattern);
        if (problem != null) {
            throw element.error("\"" + text + "\" is not a URL pattern: " + problem);
        }
        return pattern;
    }

    private String decoded(DescriptorElement element, String written) throws DeploymentException {
        try {
            String pattern = UrlPattern.decoded(written);
            String note = UrlPattern.note(written, pattern);
            if (note != null) {
                descriptor.notes.add(element.where() + ": " + note);
            }
            return pattern;
        } catch (IllegalArgumentException e) {
            throw element.error("\"" + written + "\" is not a URL pattern: " + e.getMessage());
        }
    }

    /** A pattern of a jsp-property-group, whose form is not checked. */
    String groupPattern(DescriptorElement element) throws DeploymentException {
        return decoded(element, element.text());
    }

    String path(DescriptorElement element) throws DeploymentException {
        String path = old ? withSlash(element) : element.text();
        if (!path.startsWith("/")) {
            throw element.error("<" + element.name() + "> must begin with a slash, not \"" + path + "\"");
        }
        return path;
    }

    private static String withSlash(DescriptorElement element) {
        if (element.text().isEmpty() || element.text().startsWith("/")) {
            return element.text();
        }
        LOG.debugf("%s: added a leading slash to \"%s\", which Servlet 2.2 permitted to omit", element, element.text());
        return '/' + element.text();
    }
}
