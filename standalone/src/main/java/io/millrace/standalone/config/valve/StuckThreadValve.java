package io.millrace.standalone.config.valve;

import static io.millrace.settings.SettingType.number;

import io.millrace.exchange.HttpHandler;
import io.millrace.handler.StuckThreads;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Tomcat's StuckThreadDetectionValve. It only observes, so that a mistake in it admits no client. */
public final class StuckThreadValve extends HandlerValve {

    private static final SettingType<Integer> SECONDS = number(Integer.MIN_VALUE, Integer.MAX_VALUE);
    private static final SettingGroup GROUP = new SettingGroup();
    private static final Setting<Integer> THRESHOLD = GROUP.add("threshold", SECONDS, 600);
    private static final Setting<Integer> INTERRUPT_THRESHOLD = GROUP.add("interruptThreadThreshold", SECONDS, -1);

    StuckThreadValve() {
        super(VALVES + "StuckThreadDetectionValve", Attribute.of(GROUP.settings()));
    }

    @Override
    public boolean restricts() {
        return false;
    }

    @Override
    public boolean onlyObserves() {
        return true;
    }

    @Override
    public UnaryOperator<HttpHandler> handler(Element valve, Path base, Consumer<String> warnings) {
        int threshold = valve.get(THRESHOLD);
        int interrupt = valve.get(INTERRUPT_THRESHOLD);
        return threshold <= 0
                ? next -> next
                : new StuckThreads(Duration.ofSeconds(threshold), interrupt <= 0 ? null : Duration.ofSeconds(interrupt))
                        ::wrap;
    }
}
