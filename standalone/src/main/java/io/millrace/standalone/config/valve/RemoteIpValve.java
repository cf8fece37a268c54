package io.millrace.standalone.config.valve;

import io.millrace.exchange.HttpHandler;
import io.millrace.forwarded.RemoteIp;
import io.millrace.settings.Setting;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Tomcat's RemoteIpValve, which evaluates what front ends report in X-Forwarded-For and the like. */
public final class RemoteIpValve extends HandlerValve {

    private static final List<Setting<String>> HEADERS = List.of(
            RemoteIp.REMOTE_IP_HEADER,
            RemoteIp.PROXIES_HEADER,
            RemoteIp.PROTOCOL_HEADER,
            RemoteIp.HOST_HEADER,
            RemoteIp.PORT_HEADER);

    RemoteIpValve() {
        super(VALVES + "RemoteIpValve", Attribute.of(RemoteIp.all()), TomcatAttributes.of("RemoteIpValve"));
    }

    @Override
    public Set<String> frontEndHeaders(Element valve) {
        return HEADERS.stream().map(valve::get).filter(name -> !name.isEmpty()).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public UnaryOperator<HttpHandler> handler(Element valve, Path base, Consumer<String> warnings) {
        return RemoteIp.DEFAULT.with(valve.settings())::wrap;
    }
}
