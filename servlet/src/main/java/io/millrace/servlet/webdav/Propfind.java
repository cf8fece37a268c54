package io.millrace.servlet.webdav;

import io.millrace.servlet.resource.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** The method PROPFIND (RFC 4918, 9.1). */
final class Propfind {

    /** More names than clients request; each is repeated for each resource. */
    private static final int MAX_NAMES = 200;

    private enum Kind {
        ALL,
        NAMES,
        CHOSEN
    }

    private final DavFiles dav;
    private final DavCall call;
    private final Kind kind;
    /** The requested names, or those to include in addition to all. */
    private final Set<PropertyName> names;

    private Propfind(DavFiles dav, DavCall call, Kind kind, Set<PropertyName> names) {
        this.dav = dav;
        this.call = call;
        this.kind = kind;
        this.names = names;
    }

    static void answer(DavFiles dav, DavCall call, HttpServletResponse response) throws IOException, DavFault {
        int depth = Math.min(call.depth(), Math.max(1, dav.settings().maxDepth()));
        Propfind request = parse(dav, call, DavXml.read(call.request().getInputStream()));
        Resource resource = dav.tree().find(call.path());
        if (resource == null || call.hasSlash() && !resource.isDirectory()) {
            throw new DavFault(HttpServletResponse.SC_NOT_FOUND);
        }
        MultiStatus out = new MultiStatus(response);
        request.describe(call.path(), resource, depth, out);
        out.end();
    }

    private static Propfind parse(DavFiles dav, DavCall call, @Nullable Element root) throws DavFault {
        if (root == null) {
            return new Propfind(dav, call, Kind.ALL, Set.of());
        }
        if (!DavXml.isDav(root, "propfind")) {
            throw new DavFault(HttpServletResponse.SC_BAD_REQUEST);
        }
        Element chosen = DavXml.child(root, "prop");
        if (chosen != null) {
            return new Propfind(dav, call, Kind.CHOSEN, names(chosen));
        }
        if (DavXml.child(root, "propname") != null) {
            return new Propfind(dav, call, Kind.NAMES, Set.of());
        }
        if (DavXml.child(root, "allprop") == null) {
            throw new DavFault(HttpServletResponse.SC_BAD_REQUEST);
        }
        Element more = DavXml.child(root, "include");
        return new Propfind(dav, call, Kind.ALL, more == null ? Set.of() : names(more));
    }

    private static Set<PropertyName> names(Element parent) throws DavFault {
        Set<PropertyName> names = new LinkedHashSet<>();
        DavXml.children(parent).forEach(element -> names.add(PropertyName.of(element)));
        if (names.size() > MAX_NAMES) {
            throw new DavFault(HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE);
        }
        return names;
    }

    /** Omits members for which the user may not send PROPFIND. */
    private void describe(String path, Resource resource, int depth, MultiStatus out) throws IOException {
        out.properties(call.href(path, resource.isDirectory()), properties(path, resource));
        if (depth > 0 && resource.isDirectory()) {
            for (String member : dav.tree().members(path)) {
                Resource found = call.mayReach("PROPFIND", member) ? dav.tree().find(member) : null;
                if (found != null) {
                    describe(member, found, depth - 1, out);
                }
            }
        }
    }

    private List<MultiStatus.PropertyStatus> properties(String path, Resource resource) throws IOException {
        Map<PropertyName, String> dead = dav.tree().properties().of(path);
        Set<PropertyName> wanted = kind == Kind.CHOSEN ? names : all(dead.keySet());
        StringBuilder found = new StringBuilder();
        StringBuilder missing = new StringBuilder();
        for (PropertyName name : wanted) {
            String element = element(name, path, resource, dead);
            if (element == null) {
                missing.append(kind == Kind.CHOSEN || names.contains(name) ? name.element() : "");
            } else {
                found.append(kind == Kind.NAMES ? name.element() : element);
            }
        }
        List<MultiStatus.PropertyStatus> statuses = new ArrayList<>();
        if (found.length() > 0 || missing.length() == 0) {
            statuses.add(new MultiStatus.PropertyStatus(200, found));
        }
        if (missing.length() > 0) {
            statuses.add(new MultiStatus.PropertyStatus(404, missing));
        }
        return statuses;
    }

    private Set<PropertyName> all(Set<PropertyName> dead) {
        Set<PropertyName> all = new LinkedHashSet<>();
        for (LiveProperty live : LiveProperty.values()) {
            all.add(live.property());
        }
        all.addAll(dead);
        all.addAll(names);
        return all;
    }

    private @Nullable String element(
            PropertyName name, String path, Resource resource, Map<PropertyName, String> dead) {
        String kept = dead.get(name);
        LiveProperty live = LiveProperty.of(name);
        if (kept != null || live == null) {
            return kept;
        }
        String value = dav.live(live, path, resource, call);
        return value == null ? null : "<D:" + name.local() + ">" + value + "</D:" + name.local() + ">";
    }
}
