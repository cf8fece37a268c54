package io.millrace.standalone.config.valve;

import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problems;
import java.util.List;
import java.util.stream.Stream;

/** All kinds of Valves. A new one is a class of its own, and a line here. */
public final class Valves {

    /** Those that work. */
    public static final List<ValveKind> KINDS = Stream.concat(
                    Stream.of(
                            AccessLogValve.pattern(),
                            AccessLogValve.extended(),
                            AccessLogValve.json(),
                            AddressValve.byAddress(),
                            AddressValve.byRange(),
                            AddressValve.byName(),
                            new CrawlerValve(),
                            new DrainingValve(),
                            ErrorReportValve.negotiated(),
                            ErrorReportValve.json(),
                            new ForwardedValve(),
                            new HealthCheckValve(),
                            new PersistentValve(),
                            new RemoteIpValve(),
                            new RewriteValve(),
                            new SemaphoreValve(),
                            new SslValve(),
                            new StuckThreadValve()),
                    Stream.concat(SingleSignOnValve.kinds(), Authenticator.kinds().stream()))
            .toList();

    private Valves() {}

    /**
     * Reports requests for which both kinds of front ends apply: a client could send the field that its front end does not
     * overwrite. Limiting the second to trusted addresses does not help: clients may have addresses that it trusts.
     *
     * @param outer those that process requests first
     */
    public static void checkFrontEnds(List<Element> outer, List<Element> inner, Problems problems) {
        List<Element> all = Stream.concat(outer.stream(), inner.stream())
                .filter(valve -> valve.kind() instanceof RemoteIpValve || valve.kind() instanceof ForwardedValve)
                .toList();
        all.stream()
                .filter(relay -> !relay.kind().equals(all.get(0).kind()))
                .findFirst()
                .ifPresent(other -> problems.error(
                        other.line(),
                        "RemoteIpValve and ForwardedField for the same requests: a client could choose the field that the front end"
                                + " does not overwrite; expected one of them"));
    }
}
