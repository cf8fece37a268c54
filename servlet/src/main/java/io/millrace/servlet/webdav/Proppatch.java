package io.millrace.servlet.webdav;

import io.millrace.servlet.resource.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** The method PROPPATCH (RFC 4918, 9.2): all instructions are executed, in order, or none. */
final class Proppatch {

    private Proppatch() {}

    /**
     * One instruction.
     *
     * @param element serialized; null to remove the property
     */
    private record Instruction(PropertyName name, @Nullable String element) {}

    static void answer(DavFiles dav, DavCall call, HttpServletResponse response) throws IOException, DavFault {
        WriteGuard guard = new WriteGuard(dav, call);
        Resource resource = dav.tree().find(call.path());
        if (resource == null || call.hasSlash() && !resource.isDirectory()) {
            throw new DavFault(HttpServletResponse.SC_NOT_FOUND);
        }
        List<Instruction> instructions = parse(DavXml.read(call.request().getInputStream()));
        if (!dav.files().mayChange(resource, call.request())) {
            throw new DavFault(HttpServletResponse.SC_PRECONDITION_FAILED);
        }
        guard.change(call.path());
        StringBuilder refused = new StringBuilder();
        StringBuilder others = new StringBuilder();
        Map<PropertyName, String> names = new LinkedHashMap<>();
        instructions.forEach(each -> names.put(each.name(), each.name().element()));
        names.forEach((name, element) -> (isProtected(name) ? refused : others).append(element));
        if (refused.length() == 0) {
            change(dav.tree().properties(), call.path(), instructions);
        }
        int status = refused.length() == 0 ? HttpServletResponse.SC_OK : DavFault.FAILED_DEPENDENCY;
        List<MultiStatus.PropertyStatus> statuses = new ArrayList<>();
        if (refused.length() > 0) {
            statuses.add(new MultiStatus.PropertyStatus(
                    HttpServletResponse.SC_FORBIDDEN,
                    refused,
                    "<D:error><D:cannot-modify-protected-property/></D:error>"));
        }
        if (others.length() > 0) {
            statuses.add(new MultiStatus.PropertyStatus(status, others));
        }
        MultiStatus out = new MultiStatus(response);
        out.properties(call.href(call.path(), resource.isDirectory()), statuses);
        out.end();
    }

    private static List<Instruction> parse(@Nullable Element root) throws DavFault {
        if (root == null || !DavXml.isDav(root, "propertyupdate")) {
            throw new DavFault(HttpServletResponse.SC_BAD_REQUEST);
        }
        List<Instruction> instructions = new ArrayList<>();
        for (Element action : DavXml.children(root)) {
            boolean set = DavXml.isDav(action, "set");
            Element properties = set || DavXml.isDav(action, "remove") ? DavXml.child(action, "prop") : null;
            for (Element property : properties == null ? List.<Element>of() : DavXml.children(properties)) {
                instructions.add(new Instruction(PropertyName.of(property), set ? DavXml.text(property) : null));
            }
        }
        if (instructions.isEmpty()) {
            throw new DavFault(HttpServletResponse.SC_BAD_REQUEST);
        }
        return instructions;
    }

    private static boolean isProtected(PropertyName name) {
        LiveProperty live = LiveProperty.of(name);
        return live != null && live.isProtected();
    }

    /** Synchronized, so that concurrent changes are not lost. */
    private static void change(DeadProperties properties, String path, List<Instruction> instructions)
            throws IOException, DavFault {
        synchronized (properties) {
            Map<PropertyName, String> changed = properties.of(path);
            for (Instruction each : instructions) {
                String element = each.element();
                if (element == null) {
                    changed.remove(each.name());
                } else {
                    changed.put(each.name(), element);
                }
            }
            properties.set(path, changed);
        }
    }
}
