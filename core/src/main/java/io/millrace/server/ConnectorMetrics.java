package io.millrace.server;

import static io.millrace.metrics.MetricFamily.counter;
import static io.millrace.metrics.MetricFamily.gauge;

import io.millrace.exchange.InlineRuns;
import io.millrace.exchange.RequestMeter;
import io.millrace.exchange.RequestMeter.Figure;
import io.millrace.http.HttpVersion;
import io.millrace.io.ConnectionMeter;
import io.millrace.io.Transport;
import io.millrace.metrics.MetricFamily;
import io.millrace.metrics.MetricGroup;
import io.millrace.tls.layer.TlsLayer;
import io.millrace.tls.material.ReloadingEngines;
import java.util.List;

/** The metrics of a connector's connections and requests. */
public final class ConnectorMetrics {

    private static final MetricFamily CONNECTIONS =
            gauge("millrace_connections", "Open connections: active ones have a request, idle ones wait for one");
    private static final MetricFamily ACCEPTED =
            counter("millrace_connections_accepted_total", "Connections that were accepted");
    private static final MetricFamily LIMIT =
            gauge("millrace_connections_limit", "The number of connections at which accepting pauses");
    private static final MetricFamily REQUESTS = counter(
            "millrace_requests_total", "Requests that have ended, refused ones included; 499: the client left before");
    private static final MetricFamily ACTIVE = gauge("millrace_requests_active", "Requests in progress");
    private static final MetricFamily DURATION = MetricFamily.histogram(
            "millrace_request_duration_seconds", "Time from a request's head to the end of its response");
    private static final MetricFamily BYTES =
            counter("millrace_network_bytes_total", "Bytes on sockets, with TLS and framing");
    private static final MetricFamily ABORTS =
            counter("millrace_client_aborts_total", "Requests whose clients left before the end of the response");
    private static final MetricFamily EXCEEDED = counter(
            "millrace_limit_exceeded_total",
            "Requests and connections that reached a limit, by the attribute that sets it");
    private static final MetricFamily STREAMS = gauge("millrace_streams", "Open streams of HTTP/2 and SPDY");
    private static final MetricFamily RESETS =
            counter("millrace_stream_resets_total", "Streams of HTTP/2 and SPDY that were reset, by either side");

    private static final MetricFamily INLINE = counter(
            "millrace_inline_requests_total",
            "Requests and calls for messages that ran on the I/O thread that had read them, with inlineShort");
    private static final MetricFamily TAKE_OVERS =
            counter("millrace_inline_takeovers_total", "Those during which another thread polled the connections");
    private static final MetricFamily ROUTES =
            counter("millrace_inline_routes_total", "How often a route was found to be short, or long");

    private static final MetricFamily HANDSHAKES =
            counter("millrace_tls_handshakes_total", "TLS handshakes: full, with a resumed session, or failed");
    private static final MetricFamily NOT_AFTER = gauge(
            "millrace_tls_certificate_not_after_seconds",
            "When the first certificate of a host expires, in seconds since 1970");

    private ConnectorMetrics() {}

    /** Adds what is known of connections. */
    public static void addConnections(
            MetricGroup group, Transport transport, ConnectionMeter connections, RequestMeter requests, int limit) {
        group.number(CONNECTIONS, () -> active(transport, requests), "state", "active");
        group.number(CONNECTIONS, transport::idle, "state", "idle");
        group.number(CONNECTIONS, () -> requests.get(Figure.TUNNELS), "state", "upgraded");
        group.number(ACCEPTED, connections::accepted);
        group.number(LIMIT, () -> limit > 0 ? limit : Double.POSITIVE_INFINITY);
        group.number(BYTES, connections::received, "direction", "in");
        group.number(BYTES, connections::sent, "direction", "out");
        connections.limits().notifying(group.counters(EXCEEDED, "limit")::increment);
    }

    private static double active(Transport transport, RequestMeter requests) {
        return Math.max(0, transport.connections() - transport.idle() - requests.get(Figure.TUNNELS));
    }

    /** Adds what is known of TLS. */
    public static void addTls(MetricGroup group, TlsLayer layer, ReloadingEngines engines) {
        group.number(HANDSHAKES, layer::fullHandshakes, "result", "full");
        group.number(HANDSHAKES, layer::resumedHandshakes, "result", "resumed");
        group.number(HANDSHAKES, layer::failedHandshakes, "result", "failed");
        for (String host : engines.hosts()) {
            group.number(NOT_AFTER, () -> engines.notAfter(host), "host", host);
        }
    }

    /** Adds what is known of requests that run on I/O threads. */
    public static void addInline(MetricGroup group, InlineRuns runs) {
        group.number(INLINE, runs::runs);
        group.number(TAKE_OVERS, runs::takeOvers);
        group.number(ROUTES, runs::becameShort, "found", "short");
        group.number(ROUTES, runs::becameLong, "found", "long");
    }

    /** Adds the streams of protocols with many of them on a connection. */
    public static void addStreams(MetricGroup group, ConnectionMeter connections) {
        group.number(STREAMS, connections::streams);
        group.occasional(RESETS, () -> connections.resets(true), "by", "peer");
        group.occasional(RESETS, () -> connections.resets(false), "by", "server");
    }

    /**
     * Adds what is known of requests.
     *
     * @param protocols those that the connector offers, as the label has them
     */
    public static void addRequests(MetricGroup group, RequestMeter requests, List<String> protocols) {
        boolean isAjp = protocols.contains("ajp");
        for (String protocol : isAjp ? List.of("ajp") : List.of("http/1.1", "h2", "spdy/3", "spdy/3.1")) {
            if (!protocols.contains(protocol)) {
                continue;
            }
            List<HttpVersion> versions = isAjp ? List.of(HttpVersion.values()) : versions(protocol);
            for (int i = 0; i < RequestMeter.CLASSES.size(); i++) {
                int code = i;
                boolean always = !protocol.startsWith("spdy") && RequestMeter.isOrdinary(code);
                String[] labels = {"protocol", protocol, "code", RequestMeter.CLASSES.get(i)};
                if (always) {
                    group.number(REQUESTS, () -> sum(requests, versions, code), labels);
                } else {
                    group.occasional(REQUESTS, () -> sum(requests, versions, code), labels);
                }
            }
        }
        group.number(ACTIVE, () -> requests.get(Figure.ACTIVE));
        group.number(ABORTS, () -> requests.get(Figure.ABORTED));
        group.histogram(DURATION, requests::durations);
    }

    private static List<HttpVersion> versions(String protocol) {
        return switch (protocol) {
            case "h2" -> List.of(HttpVersion.HTTP_2);
            case "spdy/3" -> List.of(HttpVersion.SPDY_3);
            case "spdy/3.1" -> List.of(HttpVersion.SPDY_3_1);
            default -> List.of(HttpVersion.HTTP_1_0, HttpVersion.HTTP_1_1);
        };
    }

    private static double sum(RequestMeter requests, List<HttpVersion> versions, int code) {
        long sum = 0;
        for (int i = 0; i < versions.size(); i++) {
            sum += requests.ended(versions.get(i), code);
        }
        return sum;
    }
}
