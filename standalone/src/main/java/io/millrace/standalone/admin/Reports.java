package io.millrace.standalone.admin;

import io.millrace.ConnectorState;
import io.millrace.exchange.RequestMeter;
import io.millrace.http.HttpVersion;
import io.millrace.io.OpenConnection;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a running server shows of itself: connections, threads, applications, and a line of figures. */
final class Reports {

    private final AdminRoot root;
    private final Samples samples;

    Reports(AdminRoot root, Samples samples) {
        this.root = root;
        this.samples = samples;
    }

    /**
     * The open connections, the longest-lived first.
     *
     * @param asked {@code state} is one of active, idle, reading, upgraded; {@code over} is the least time of the oldest request, or
     *     without one, of the connection
     */
    Table connections(Question asked) {
        Table table = new Table(
                "ID",
                "CONNECTOR",
                "PEER",
                "PROTOCOL",
                "STATE",
                "AGE",
                "IDLE",
                "STREAMS",
                "FOR",
                "REQUEST",
                "APPLICATION",
                "THREAD");
        String state = asked.text("state");
        if (state != null && !List.of("active", "idle", "reading", "upgraded").contains(state)) {
            throw new IllegalArgumentException("state=" + state + ": expected active, idle, reading or upgraded");
        }
        Duration over = asked.time("over");
        for (ServerAdministration server : root.servers()) {
            for (ConnectorState connector : server.connectors()) {
                List<Line> lines = lines(connector);
                lines.sort((one, other) -> Long.compare(other.connection.ageNanos(), one.connection.ageNanos()));
                lines.stream()
                        .filter(line -> state == null || state.equals(line.state()))
                        .filter(line -> over == null || line.nanos() >= over.toNanos())
                        .forEach(line -> line.addTo(table, this));
            }
        }
        return table;
    }

    private static List<Line> lines(ConnectorState connector) {
        Map<SocketAddress, List<RequestMeter.Active>> byPeer = new HashMap<>();
        for (RequestMeter.Active each : connector.requests().active()) {
            byPeer.computeIfAbsent(each.connection().direct().remote(), peer -> new ArrayList<>())
                    .add(each);
        }
        List<Line> lines = new ArrayList<>();
        for (OpenConnection each : connector.connections()) {
            // peers of a Unix domain socket have no names
            boolean named = each.info().remote() instanceof InetSocketAddress;
            lines.add(new Line(
                    connector, each, named ? byPeer.getOrDefault(each.info().remote(), List.of()) : List.of()));
        }
        return lines;
    }

    /** A connection and its requests, the oldest first. */
    private record Line(ConnectorState connector, OpenConnection connection, List<RequestMeter.Active> requests) {

        String state() {
            if (requests.isEmpty()) {
                return connection.idleNanos() >= 0 ? "idle" : "reading";
            }
            return requests.get(0).isTunnel() ? "upgraded" : "active";
        }

        /** How long its oldest request takes, or how old it is. */
        long nanos() {
            return requests.isEmpty() ? connection.ageNanos() : requests.get(0).nanos();
        }

        void addTo(Table table, Reports reports) {
            RequestMeter.Active oldest = requests.isEmpty() ? null : requests.get(0);
            long idle = oldest == null ? connection.idleNanos() : -1;
            table.row(
                    Integer.toHexString(System.identityHashCode(connection.info())),
                    connector.name(),
                    StatusServlet.shown(connection.info().remote()),
                    oldest == null ? null : protocol(oldest.request().version()),
                    state(),
                    Duration.ofNanos(connection.ageNanos()),
                    idle < 0 ? null : Duration.ofNanos(idle),
                    requests.size(),
                    oldest == null ? null : Duration.ofNanos(oldest.nanos()),
                    oldest == null
                            ? null
                            : oldest.request().method() + " "
                                    + oldest.request().path().raw(),
                    oldest == null ? null : reports.application(oldest),
                    oldest == null
                            ? null
                            : oldest.thread() == null
                                    ? "asynchronous"
                                    : oldest.thread().getName());
        }

        private static String protocol(HttpVersion version) {
            return version.toString();
        }
    }

    /** The context path of the application that a request is for; null if none is. */
    private @Nullable String application(RequestMeter.Active request) {
        String path = request.request().path().raw();
        return root.hosts().stream()
                .flatMap(host -> host.paths().stream())
                .filter(context -> path.equals(context) || path.startsWith(context + "/"))
                .reduce((one, other) -> other.length() > one.length() ? other : one)
                .map(context -> context.isEmpty() ? "/" : context)
                .orElse(null);
    }

    /** The threads that run requests, with their stacks, the longest-running first; all others only in number. */
    Answer threads(Question asked) {
        Duration stuck = asked.time("stuck");
        Table table = new Table("THREAD", "STATE", "FOR", "CONNECTOR", "REQUEST", "APPLICATION", "STACK");
        StringBuilder text = new StringBuilder();
        int busy = 0;
        for (ServerAdministration server : root.servers()) {
            for (ConnectorState connector : server.connectors()) {
                for (RequestMeter.Active each : connector.requests().active()) {
                    Thread thread = each.thread();
                    if (thread == null || stuck != null && each.nanos() < stuck.toNanos()) {
                        continue;
                    }
                    busy++;
                    List<String> stack = Arrays.stream(thread.getStackTrace())
                            .map(StackTraceElement::toString)
                            .toList();
                    String request = each.request().method() + " "
                            + each.request().path().raw();
                    Duration time = Duration.ofNanos(each.nanos());
                    table.row(
                            thread.getName(),
                            thread.getState().toString(),
                            time,
                            connector.name(),
                            request,
                            application(each),
                            stack);
                    text.append('"')
                            .append(thread.getName())
                            .append("\" ")
                            .append(thread.getState())
                            .append(" for ")
                            .append(Table.shown(time))
                            .append(": ")
                            .append(Table.shown(request))
                            .append(" (")
                            .append(connector.name())
                            .append(")\n");
                    stack.forEach(frame -> text.append("    at ").append(frame).append('\n'));
                    text.append('\n');
                }
            }
        }
        if (asked.says("json")) {
            return Answer.of(table, asked);
        }
        int all = ManagementFactory.getThreadMXBean().getThreadCount();
        String which = stuck == null ? "" : " for " + Table.shown(stuck) + " or longer";
        return Answer.done(text + (busy == 1 ? "1 thread runs a request" : busy + " threads run requests") + which
                + "; the process has " + all + " threads that are not virtual");
    }

    /** The applications of a host. */
    Table list(Administration host) {
        Table table = new Table("PATH", "VERSION", "STATE", "SESSIONS", "REQUESTS", "p50", "p99", "SINCE");
        for (Administration.Listed each : host.list()) {
            Administration.Load load = each.load();
            table.row(
                    each.path(),
                    each.name().version().isEmpty() ? null : each.name().version(),
                    each.running() ? "running" : "stopped",
                    each.sessions(),
                    load.requests(),
                    load.requests() == 0 ? null : load.median(),
                    load.requests() == 0 ? null : load.slow(),
                    load.since());
        }
        return table;
    }

    /** The figures of the process. */
    Table status() {
        Table table = new Table("PID", "UP", "BASE", "PORTS", "REQ/S", "BUSY", "SESSIONS", "HEAP");
        List<ConnectorState> connectors = root.servers().stream()
                .flatMap(server -> server.connectors().stream())
                .toList();
        int busy = connectors.stream()
                .mapToInt(connector -> connector.requests().running())
                .sum();
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        table.row(
                new Table.Id(ProcessHandle.current().pid()),
                Duration.between(root.began(), Instant.now()),
                root.servers().get(0).base().toString(),
                connectors.stream()
                        .map(ConnectorState::address)
                        .filter(InetSocketAddress.class::isInstance)
                        .map(address -> String.valueOf(((InetSocketAddress) address).getPort()))
                        .collect(Collectors.joining(" ")),
                Math.round(samples.requestsPerSecond()),
                busy,
                root.hosts().stream()
                        .flatMap(host -> host.list().stream())
                        .mapToLong(Administration.Listed::sessions)
                        .sum(),
                mebibytes(heap.getUsed()) + "/" + mebibytes(heap.getMax()));
        return table;
    }

    private static String mebibytes(long bytes) {
        return bytes < 0 ? "?" : bytes >= 10L << 30 ? (bytes >> 30) + "G" : (bytes >> 20) + "M";
    }
}
