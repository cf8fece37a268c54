package io.millrace.servlet.webdav;

import io.millrace.files.CacheLimits;
import io.millrace.metrics.MetricGroup;
import io.millrace.servlet.files.StaticServlet;
import io.millrace.servlet.resource.Resource;
import io.millrace.servlet.resource.ResourceTree;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import javax.servlet.DispatcherType;
import javax.servlet.Servlet;
import javax.servlet.ServletConfig;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * WebDAV (RFC 4918, classes 1 and 2) for the files of an application that names Tomcat's class, with that class's init
 * parameters. Read-only by default. The application's constraints also apply to all other resources that a method acts on, such
 * as the target of a COPY or the members of a collection.
 */
public final class WebdavServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private static final String READING = "OPTIONS, GET, HEAD, POST";

    private static final String WRITING = "PUT, DELETE, PROPPATCH, MKCOL, COPY, MOVE, LOCK, UNLOCK";

    private static final Set<String> WRITERS = Set.of(WRITING.split(", ", -1));

    private final transient ResourceTree resources;
    private final transient CacheLimits limits;
    private final transient ApplicationLocks locks;
    private final transient MetricGroup metrics;
    private transient DavFiles dav;

    @SuppressWarnings("NullAway.Init") // init() is called first
    private WebdavServlet(ResourceTree resources, CacheLimits limits, ApplicationLocks locks, MetricGroup metrics) {
        this.resources = resources;
        this.limits = limits;
        this.locks = locks;
        this.metrics = metrics;
    }

    /**
     * Creates the servlets of one application, which share its locks.
     *
     * @param metrics those of the application
     */
    public static Supplier<Servlet> maker(
            ResourceTree resources, CacheLimits limits, ApplicationLocks locks, MetricGroup metrics) {
        return () -> new WebdavServlet(resources, limits, locks, metrics);
    }

    @Override
    public void init(ServletConfig config) throws ServletException {
        super.init(config);
        StaticServlet files = new StaticServlet(resources, limits, locks, metrics);
        files.init(config);
        DavSettings settings = DavSettings.of(config);
        ServletContext context = config.getServletContext();
        DavTree tree = locks.tree(context, settings.special());
        dav = new DavFiles(tree, locks.table(), files, context, settings);
    }

    @Override
    public void destroy() {
        dav.files().destroy();
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        if (request.getDispatcherType() != DispatcherType.REQUEST) {
            dav.files().service(request, response);
            return;
        }
        try {
            answer(DavCall.of(request, dav.settings()), response);
        } catch (DavFault fault) {
            fault.answer(response);
        } catch (AccessDeniedException notForTheServer) {
            new DavFault(HttpServletResponse.SC_FORBIDDEN).answer(response);
        }
    }

    private void answer(DavCall call, HttpServletResponse response) throws IOException, DavFault {
        String method = call.request().getMethod();
        boolean allowed = WRITERS.contains(method)
                ? !dav.settings().readonly()
                : !method.equals("PROPFIND") || dav.settings().listings();
        if (!allowed) {
            response.setHeader("Allow", allow());
            throw new DavFault(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
        }
        switch (method) {
            case "OPTIONS" -> options(response);
            case "GET", "HEAD", "POST" -> read(call, response);
            case "PROPFIND" -> Propfind.answer(dav, call, response);
            case "PROPPATCH" -> Proppatch.answer(dav, call, response);
            case "PUT" -> put(call, response);
            case "MKCOL" -> makeCollection(call, response);
            case "DELETE" -> Removal.answer(dav, call, response);
            case "COPY" -> CopyMove.answer(dav, call, false, response);
            case "MOVE" -> CopyMove.answer(dav, call, true, response);
            case "LOCK" -> LockMethods.lock(dav, call, response);
            case "UNLOCK" -> LockMethods.unlock(dav, call, response);
            default -> {
                response.setHeader("Allow", allow());
                throw new DavFault(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
            }
        }
    }

    private void options(HttpServletResponse response) {
        response.setHeader("DAV", dav.settings().readonly() ? "1" : "1, 2");
        response.setHeader("MS-Author-Via", "DAV");
        response.setHeader("Allow", allow());
    }

    private String allow() {
        return READING
                + (dav.settings().listings() ? ", PROPFIND" : "")
                + (dav.settings().readonly() ? "" : ", " + WRITING);
    }

    private void read(DavCall call, HttpServletResponse response) throws IOException, DavFault {
        new WriteGuard(dav, call); // the If field applies to all methods
        Resource resource = dav.tree().find(call.path());
        boolean odd = call.hasSlash() && resource != null && !resource.isDirectory();
        String path = call.path() + (call.hasSlash() ? "/" : "");
        dav.files().answer(odd ? null : resource, path, call.prefix(), call.request(), response);
    }

    private void put(DavCall call, HttpServletResponse response) throws IOException, DavFault {
        WriteGuard guard = new WriteGuard(dav, call);
        checkVisible(call);
        Resource before = dav.tree().find(call.path());
        if (before != null && before.isDirectory()) {
            throw new DavFault(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
        }
        if (call.hasSlash()) {
            throw new DavFault(HttpServletResponse.SC_CONFLICT);
        }
        if (before == null) {
            guard.create(call.path());
        } else {
            guard.change(call.path());
        }
        int status = dav.files().put(call.path(), call.request());
        if (status >= 400) {
            throw new DavFault(status);
        }
        response.setStatus(status);
    }

    private void makeCollection(DavCall call, HttpServletResponse response) throws IOException, DavFault {
        WriteGuard guard = new WriteGuard(dav, call);
        checkVisible(call);
        if (call.request().getInputStream().read() >= 0) {
            throw new DavFault(HttpServletResponse.SC_UNSUPPORTED_MEDIA_TYPE);
        }
        if (dav.tree().find(call.path()) != null) {
            throw new DavFault(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
        }
        if (!dav.tree().isCollection(DavPath.parent(call.path()))) {
            throw new DavFault(HttpServletResponse.SC_CONFLICT);
        }
        if (!dav.files().mayChange(null, call.request())) {
            throw new DavFault(HttpServletResponse.SC_PRECONDITION_FAILED);
        }
        guard.create(call.path());
        dav.tree().createCollection(call.path());
        response.setStatus(HttpServletResponse.SC_CREATED);
    }

    private void checkVisible(DavCall call) throws DavFault {
        if (dav.tree().isHidden(call.path())) {
            throw new DavFault(HttpServletResponse.SC_FORBIDDEN);
        }
    }

    /** The method PROPPATCH (RFC 4918, 9.2): all instructions are executed, in order, or none. */
    private static final class Proppatch {

        private Proppatch() {}

        /**
         * One instruction.
         *
         * @param element serialized; null to remove the property
         */
        private record Instruction(
                PropertyName name, @Nullable String element) {}

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
            int status = refused.length() == 0 ? HttpServletResponse.SC_OK : MultiStatus.FAILED_DEPENDENCY;
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

    /** The methods COPY and MOVE (RFC 4918, 9.8 and 9.9). */
    private static final class CopyMove {

        private final DavFiles dav;
        private final DavCall call;
        private final WriteGuard guard;
        private final boolean move;
        private final String from;
        private final String to;

        private CopyMove(DavFiles dav, DavCall call, boolean move) throws DavFault {
            this.dav = dav;
            this.call = call;
            this.move = move;
            guard = new WriteGuard(dav, call);
            from = call.path();
            to = call.destination();
        }

        static void answer(DavFiles dav, DavCall call, boolean move, HttpServletResponse response)
                throws IOException, DavFault {
            new CopyMove(dav, call, move).answer(response);
        }

        private void answer(HttpServletResponse response) throws IOException, DavFault {
            boolean deep = isDeep();
            boolean overwrite = call.overwrite();
            Resource source = dav.tree().find(from);
            if (source == null || call.hasSlash() && !source.isDirectory()) {
                throw new DavFault(HttpServletResponse.SC_NOT_FOUND);
            }
            checkPlaces();
            Resource replaced = dav.tree().find(to);
            if (!dav.tree().isCollection(DavPath.parent(to))) {
                throw new DavFault(HttpServletResponse.SC_CONFLICT);
            }
            if (replaced != null && !overwrite || !dav.files().mayChange(source, call.request())) {
                throw new DavFault(HttpServletResponse.SC_PRECONDITION_FAILED);
            }
            if (isDenied(deep, response)
                    || move && Removal.isBlocked(dav, call, guard, from, response)
                    || Removal.isBlocked(dav, call, guard, to, response)) {
                return;
            }
            Failures failures = new Failures(call, dav.tree()::isCollection);
            carryOut(source, replaced, deep, failures);
            if (!failures.isEmpty()) {
                failures.answer(to, response);
                return;
            }
            response.setStatus(replaced == null ? HttpServletResponse.SC_CREATED : HttpServletResponse.SC_NO_CONTENT);
        }

        private boolean isDeep() throws DavFault {
            int depth = call.depth();
            if (depth == 1 || move && depth == 0) {
                throw new DavFault(HttpServletResponse.SC_BAD_REQUEST);
            }
            return depth != 0;
        }

        /** Refuses a source within the target, and vice versa. */
        private void checkPlaces() throws DavFault {
            boolean nested = DavPath.isWithin(from, to) || DavPath.isWithin(to, from);
            if (nested
                    || DavPath.isRoot(from)
                    || DavPath.isRoot(to)
                    || dav.tree().isHidden(to)) {
                throw new DavFault(HttpServletResponse.SC_FORBIDDEN);
            }
        }

        /** Whether the application's constraints deny this user a part of it: then the response is sent, and nothing is changed. */
        private boolean isDenied(boolean deep, HttpServletResponse response) throws IOException, DavFault {
            String method = call.request().getMethod();
            Failures denied = new Failures(call, dav.tree()::isCollection);
            for (String each : deep ? dav.tree().all(from) : List.of(from)) {
                String target = to + each.substring(from.length());
                boolean mayWrite = call.mayReach(method, target) && call.mayReach("PUT", target);
                if (!mayTake(method, each) || !mayWrite) {
                    denied.add(mayWrite ? each : target, HttpServletResponse.SC_FORBIDDEN);
                }
            }
            if (denied.isEmpty()) {
                return false;
            }
            denied.answer(to, response);
            return true;
        }

        /** Whether the user may read the source, and delete it if it is moved: a constraint may cover only GET, or only DELETE. */
        private boolean mayTake(String method, String path) {
            return call.mayReach(method, path)
                    && call.mayReach("GET", path)
                    && (!move || call.mayReach("DELETE", path));
        }

        private void carryOut(Resource source, @Nullable Resource replaced, boolean deep, Failures failures)
                throws IOException, DavFault {
            if (replaced != null && (replaced.isDirectory() || source.isDirectory())) {
                dav.tree().delete(to, failures);
                dav.cleared(to);
            }
            if (!failures.isEmpty()) {
                return;
            }
            if (move) {
                dav.tree().move(from, to, failures);
                dav.removed(from);
            } else {
                dav.tree().copy(from, to, deep, failures);
            }
        }
    }

    /**
     * The method DELETE (RFC 4918, 9.6). A collection is not changed if a lock, a constraint or a JAR is known to prevent the removal
     * of a member. If the file system prevents it, the member and its parent collections stay, and everything else is deleted.
     */
    private static final class Removal {

        private Removal() {}

        static void answer(DavFiles dav, DavCall call, HttpServletResponse response) throws IOException, DavFault {
            WriteGuard guard = new WriteGuard(dav, call);
            String path = call.path();
            Resource resource = dav.tree().find(path);
            if (resource == null || call.hasSlash() && !resource.isDirectory()) {
                throw new DavFault(HttpServletResponse.SC_NOT_FOUND);
            }
            if (resource.isDirectory() && call.depth() != DavCall.INFINITY) {
                throw new DavFault(HttpServletResponse.SC_BAD_REQUEST);
            }
            if (DavPath.isRoot(path)) {
                throw new DavFault(HttpServletResponse.SC_FORBIDDEN);
            }
            if (!dav.files().mayChange(resource, call.request())) {
                throw new DavFault(HttpServletResponse.SC_PRECONDITION_FAILED);
            }
            if (isBlocked(dav, call, guard, path, response)) {
                return;
            }
            Failures failures = new Failures(call, dav.tree()::isCollection);
            dav.tree().delete(path, failures);
            dav.removed(path);
            if (!failures.isEmpty()) {
                failures.answer(path, response);
                return;
            }
            response.setStatus(HttpServletResponse.SC_NO_CONTENT);
        }

        /**
         * Whether members of a resource prevent its removal or replacement: then the response lists them.
         *
         * @throws DavFault if the resource itself, or its collection, prevents it
         */
        static boolean isBlocked(
                DavFiles dav, DavCall call, WriteGuard guard, String path, HttpServletResponse response)
                throws IOException, DavFault {
            guard.create(path);
            Failures blockers = new Failures(call, dav.tree()::isCollection);
            guard.lockedBelow(path).forEach(each -> blockers.add(each, MultiStatus.LOCKED));
            if (dav.tree().isCollection(path)) {
                dav.tree().all(path).stream()
                        .filter(each -> !call.mayReach("DELETE", each))
                        .forEach(each -> blockers.add(each, HttpServletResponse.SC_FORBIDDEN));
            }
            dav.tree().fixed(path).forEach(each -> blockers.add(each, HttpServletResponse.SC_FORBIDDEN));
            if (blockers.isEmpty()) {
                return false;
            }
            blockers.answer(path, response);
            return true;
        }
    }
}
