package io.millrace.standalone.config.valve;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.number;

import io.millrace.exchange.HttpHandler;
import io.millrace.handler.ConcurrencyLimit;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Tomcat's SemaphoreValve: limits concurrent requests. */
public final class SemaphoreValve extends HandlerValve {

    /** Tomcat responds with 200 and no body, which a client would take for the page. */
    private static final int UNAVAILABLE = 503;

    private static final SettingType<Integer> REFUSED_STATUS = new SettingType<>(
            "-1, or a number from 400 to 599",
            text -> text.strip().matches("-1|0|[45]\\d\\d") ? Integer.valueOf(text.strip()) : null);

    private static final SettingGroup GROUP = new SettingGroup();
    private static final Setting<Integer> CONCURRENCY = GROUP.add("concurrency", number(1, Integer.MAX_VALUE), 10);
    private static final Setting<Boolean> BLOCK = GROUP.add("block", BOOLEAN, true);
    private static final Setting<Integer> STATUS = GROUP.add("highConcurrencyStatus", REFUSED_STATUS, -1);

    SemaphoreValve() {
        super(VALVES + "SemaphoreValve", Attribute.of(GROUP.settings()), TomcatAttributes.of("SemaphoreValve"));
    }

    @Override
    public UnaryOperator<HttpHandler> handler(Element valve, Path base, Consumer<String> warnings) {
        int requests = valve.get(CONCURRENCY);
        int status = valve.get(STATUS);
        return valve.get(BLOCK)
                ? ConcurrencyLimit.waiting(requests)::wrap
                : ConcurrencyLimit.refusing(requests, status > 0 ? status : UNAVAILABLE)::wrap;
    }
}
