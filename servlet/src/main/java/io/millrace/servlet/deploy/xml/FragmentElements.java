package io.millrace.servlet.deploy.xml;

import io.millrace.servlet.model.DeploymentException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a fragment's ordering and web.xml's absolute-ordering. */
final class FragmentElements {

    private final Descriptor descriptor;

    FragmentElements(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    void ordering(XmlElement element) throws DeploymentException {
        collect(element.child("before"), descriptor.order.before);
        collect(element.child("after"), descriptor.order.after);
    }

    void absoluteOrdering(XmlElement element) throws DeploymentException {
        if (descriptor.absoluteOrdering != null) {
            throw element.error("duplicate <absolute-ordering>");
        }
        List<String> names = new ArrayList<>();
        collect(element, names);
        descriptor.absoluteOrdering = names;
    }

    private static void collect(@Nullable XmlElement element, Collection<String> names) {
        if (element == null) {
            return;
        }
        for (XmlElement child : element.children()) {
            if (child.name().equals("others")) {
                names.add(FragmentOrder.OTHERS);
            } else if (child.name().equals("name")) {
                names.add(child.text());
            }
        }
    }
}
