package io.millrace.standalone.admin;

import io.millrace.ConnectorState;
import io.millrace.exchange.RequestMeter;
import io.millrace.handler.Json;
import io.millrace.handler.Page;
import io.millrace.http.RequestHead;
import io.millrace.servlet.ServletState;
import io.millrace.servlet.session.SessionStatistics;
import io.millrace.servlet.session.Sessions;
import io.millrace.standalone.admin.Administration.Listed;
import io.millrace.text.Printable;
import io.millrace.text.SizeText;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * The state of the server as Tomcat's {@code StatusManagerServlet} shows it: a page, or with {@code ?XML=true} and {@code ?JSON=true}
 * documents of Tomcat's form; below {@code /all} also the applications.
 */
public final class StatusServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private static final List<String> POOLS = List.of("Memory pool", "Type", "Used#", "Committed#", "Limit#");

    private static final List<String> CONNECTORS = List.of(
            "Connector",
            "Connections#",
            "Idle#",
            "Threads#",
            "Busy#",
            "Requests#",
            "Errors#",
            "Mean#",
            "Longest#",
            "Received#",
            "Sent#");

    private static final List<String> REQUESTS = List.of("Connector", "Client", "For#", "Request", "Thread");

    private static final List<String> APPLICATIONS = List.of("Application", "Version", "State", "Sessions#", "Files");

    private static final List<String> SERVLETS =
            List.of("Application", "Version", "Servlet", "Requests#", "Errors#", "Mean#", "Longest#", "Load#");

    /** Creates the servlet. */
    public StatusServlet() {}

    /** Without the slash that Java puts before it. */
    static String shown(SocketAddress address) {
        return address instanceof InetSocketAddress inet
                ? inet.getHostString() + ":" + inet.getPort()
                : address.toString();
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Administration host = ManagerServlet.administration(getServletContext());
        boolean complete = "/all".equals(request.getPathInfo());
        Facts facts = new Facts(host.server(), complete ? host.list() : List.of(), host.host());
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cache-Control", "no-store");
        if (says(request, "XML")) {
            response.setContentType("text/xml;charset=utf-8");
            response.getWriter().print(facts.xml());
        } else if (says(request, "JSON")) {
            response.setContentType("application/json;charset=utf-8");
            response.getWriter().print(facts.json());
        } else {
            ManagerPage.protect(response);
            response.getWriter().print(facts.page(new ManagerPage("Server", request, response)));
        }
    }

    private static boolean says(HttpServletRequest request, String parameter) {
        return "true".equals(request.getParameter(parameter));
    }

    /** What is shown, in three forms. */
    private record Facts(ServerAdministration server, List<Listed> applications, String host) {

        private static MemoryUsage heap() {
            return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        }

        private static List<MemoryPoolMXBean> pools() {
            return ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(MemoryPoolMXBean::isValid)
                    .toList();
        }

        private static long millis(long nanos) {
            return TimeUnit.NANOSECONDS.toMillis(nanos);
        }

        private int most(ConnectorState state) {
            int most = server.threads(state.connector()).most();
            return most == Integer.MAX_VALUE ? -1 : most;
        }

        private int alive(ConnectorState state) {
            ServerAdministration.Threads threads = server.threads(state.connector());
            return threads.most() == Integer.MAX_VALUE ? state.requests().running() : threads.alive();
        }

        private static long idle(ConnectorState state) {
            return Math.max(0, state.open() - state.requests().active().size());
        }

        static String address(@Nullable SocketAddress address) {
            return address instanceof InetSocketAddress inet ? inet.getHostString() : String.valueOf(address);
        }

        private static String query(RequestHead head) {
            return head.query() == null ? "" : head.query();
        }

        // ---- XML

        String xml() {
            Runtime runtime = Runtime.getRuntime();
            StringBuilder text = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<status><jvm>");
            text.append("<memory free='" + runtime.freeMemory() + "' total='" + runtime.totalMemory() + "' max='"
                    + runtime.maxMemory() + "'/>");
            for (MemoryPoolMXBean pool : pools()) {
                MemoryUsage usage = pool.getUsage();
                text.append("<memorypool name='" + xml(pool.getName()) + "' type='"
                        + xml(pool.getType().toString()) + "' usageInit='" + usage.getInit() + "' usageCommitted='"
                        + usage.getCommitted() + "' usageMax='" + usage.getMax() + "' usageUsed='" + usage.getUsed()
                        + "'/>");
            }
            text.append("</jvm>");
            server.connectors().forEach(state -> xml(state, text));
            return text.append("</status>").toString();
        }

        private void xml(ConnectorState state, StringBuilder to) {
            RequestMeter.Totals totals = state.requests().totals();
            to.append("<connector name='&quot;" + xml(state.name()) + "&quot;'><threadInfo maxThreads=\""
                    + most(state) + "\" currentThreadCount=\"" + alive(state) + "\" currentThreadsBusy=\""
                    + state.requests().running() + "\"/><requestInfo maxTime=\"" + millis(totals.longestNanos())
                    + "\" processingTime=\"" + millis(totals.nanos()) + "\" requestCount=\"" + totals.requests()
                    + "\" errorCount=\"" + totals.errors() + "\" bytesReceived=\"" + totals.bytesReceived()
                    + "\" bytesSent=\"" + totals.bytesSent() + "\"/><workers>");
            for (RequestMeter.Active each : state.requests().active()) {
                RequestHead head = each.request();
                to.append("<worker stage=\"S\" requestProcessingTime=\"" + millis(each.nanos())
                        + "\" requestBytesSent=\"0\" requestBytesReceived=\"0\" remoteAddr=\""
                        + xml(address(each.connection().remote())) + "\" virtualHost=\""
                        + xml(String.valueOf(head.authority())) + "\" method=\"" + xml(head.method())
                        + "\" currentUri=\"" + xml(head.path().raw()) + "\" currentQueryString=\"" + xml(query(head))
                        + "\" protocol=\"" + xml(String.valueOf(head.version())) + "\"/>");
            }
            to.append("</workers></connector>");
        }

        /** For an attribute's value; control characters are not permitted in XML. */
        private static String xml(String text) {
            return Page.escaped(Printable.of(text));
        }

        // ---- JSON

        String json() {
            Runtime runtime = Runtime.getRuntime();
            String pools = pools().stream().map(Facts::json).collect(Collectors.joining(",\n      "));
            String connectors = server.connectors().stream().map(this::json).collect(Collectors.joining(",\n    "));
            String all = applications.isEmpty()
                    ? ""
                    : applications.stream()
                            .map(this::json)
                            .collect(Collectors.joining(",\n    ", ",\n  \"context\":[\n    ", "\n  ]"));
            return "{\"tomcat\":{\n  \"jvm\":{\n    \"memory\":{\"free\":" + runtime.freeMemory() + ",\"total\":"
                    + runtime.totalMemory() + ",\"max\":" + runtime.maxMemory()
                    + "},\n    \"memorypool\":[\n      " + pools + "\n    ]\n  },\n  \"connector\":[\n    "
                    + connectors + "\n  ]" + all + "\n}}\n";
        }

        private static String json(MemoryPoolMXBean pool) {
            MemoryUsage usage = pool.getUsage();
            return "{\"name\":" + Json.quote(pool.getName()) + ",\"type\":"
                    + Json.quote(pool.getType().toString()) + ",\"usageInit\":" + usage.getInit()
                    + ",\"usageCommitted\":" + usage.getCommitted() + ",\"usageMax\":" + usage.getMax()
                    + ",\"usageUsed\":" + usage.getUsed() + "}";
        }

        private String json(ConnectorState state) {
            RequestMeter.Totals totals = state.requests().totals();
            return "{\"name\":" + Json.quote(state.name()) + ",\"threadInfo\":{\"maxThreads\":"
                    + most(state) + ",\"currentThreadCount\":" + alive(state) + ",\"currentThreadsBusy\":"
                    + state.requests().running() + "},\"requestInfo\":{\"maxTime\":" + millis(totals.longestNanos())
                    + ",\"processingTime\":" + millis(totals.nanos()) + ",\"requestCount\":" + totals.requests()
                    + ",\"errorCount\":" + totals.errors() + ",\"bytesReceived\":" + totals.bytesReceived()
                    + ",\"bytesSent\":" + totals.bytesSent() + "}}";
        }

        private String json(Listed each) {
            return "{\"name\":" + Json.quote(host + each.name().marked()) + ",\"state\":\""
                    + (each.running() ? "STARTED" : "STOPPED") + "\",\"manager\":{\"activeSessions\":" + each.sessions()
                    + sessions(each) + "},\"wrapper\":["
                    + servlets(each).stream().map(Facts::json).collect(Collectors.joining(",\n      ")) + "]}";
        }

        private static String sessions(Listed each) {
            Sessions sessions =
                    each.application() == null ? null : each.application().sessionsIfStarted();
            if (sessions == null) {
                return "";
            }
            SessionStatistics counted = sessions.statistics();
            return ",\"sessionCounter\":" + counted.created() + ",\"maxActive\":" + counted.most()
                    + ",\"rejectedSessions\":" + counted.rejected() + ",\"expiredSessions\":" + counted.ended()
                    + ",\"sessionMaxAliveTime\":" + counted.longestMillis() / 1000
                    + ",\"sessionAverageAliveTime\":" + counted.meanMillis() / 1000
                    + ",\"processingTime\":" + millis(counted.sweepNanos());
        }

        private static String json(ServletState servlet) {
            return "{\"servletName\":" + Json.quote(servlet.name()) + ",\"processingTime\":"
                    + servlet.time().toMillis() + ",\"maxTime\":"
                    + servlet.longest().toMillis()
                    + ",\"requestCount\":" + servlet.requests() + ",\"errorCount\":" + servlet.errors()
                    + ",\"loadTime\":" + servlet.load().toMillis() + ",\"classLoadTime\":0}";
        }

        private static List<ServletState> servlets(Listed each) {
            return each.application() == null ? List.of() : each.application().servletStates();
        }

        // ---- a page

        String page(ManagerPage page) {
            MemoryUsage heap = heap();
            page.markup("<p>Millrace ")
                    .text(server.version() + " on Java " + Runtime.version() + ". Heap: " + SizeText.of(heap.getUsed())
                            + " of " + SizeText.of(heap.getMax()) + ".")
                    .markup("</p>\n");
            page.heading("Connectors").table(CONNECTORS);
            for (ConnectorState state : server.connectors()) {
                RequestMeter.Totals totals = state.requests().totals();
                int most = most(state);
                page.row(
                        CONNECTORS,
                        state.name(),
                        state.open(),
                        idle(state),
                        alive(state) + (most < 0 ? " virtual" : " of " + most),
                        state.requests().running(),
                        totals.requests(),
                        totals.errors(),
                        (totals.requests() == 0 ? 0 : millis(totals.nanos() / totals.requests())) + " ms",
                        millis(totals.longestNanos()) + " ms",
                        SizeText.of(totals.bytesReceived()),
                        SizeText.of(totals.bytesSent()));
            }
            page.endTable().heading("Requests in progress").table(REQUESTS);
            for (ConnectorState state : server.connectors()) {
                for (RequestMeter.Active each : state.requests().active()) {
                    Thread thread = each.thread();
                    page.row(
                            REQUESTS,
                            state.name(),
                            address(each.connection().remote()),
                            millis(each.nanos()) + " ms",
                            each.request().method() + " "
                                    + each.request().path().raw() + (each.isTunnel() ? " (upgraded)" : ""),
                            thread == null ? "-" : thread.getName());
                }
            }
            page.endTable();
            if (!applications.isEmpty()) {
                page.heading("Applications").table(APPLICATIONS);
                applications.forEach(each -> page.row(
                        APPLICATIONS,
                        each.path(),
                        each.name().version().isEmpty() ? "-" : each.name().version(),
                        each.running() ? "running" : "stopped",
                        each.sessions(),
                        each.docBase()));
                page.endTable().heading("Servlets").table(SERVLETS);
                applications.forEach(each -> servlets(each)
                        .forEach(servlet -> page.row(
                                SERVLETS,
                                each.path(),
                                each.name().version().isEmpty()
                                        ? "-"
                                        : each.name().version(),
                                servlet.name(),
                                servlet.requests(),
                                servlet.errors(),
                                (servlet.requests() == 0 ? 0 : servlet.time().toMillis() / servlet.requests()) + " ms",
                                servlet.longest().toMillis() + " ms",
                                servlet.load().toMillis() + " ms")));
                page.endTable();
            }
            page.heading("Memory").table(POOLS);
            for (MemoryPoolMXBean pool : pools()) {
                MemoryUsage usage = pool.getUsage();
                page.row(
                        POOLS,
                        pool.getName(),
                        pool.getType(),
                        SizeText.of(usage.getUsed()),
                        SizeText.of(usage.getCommitted()),
                        usage.getMax() < 0 ? "-" : SizeText.of(usage.getMax()));
            }
            return page.endTable().end();
        }
    }
}
