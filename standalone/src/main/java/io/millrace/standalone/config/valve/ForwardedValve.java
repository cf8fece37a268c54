package io.millrace.standalone.config.valve;

import io.millrace.exchange.HttpHandler;
import io.millrace.forwarded.ForwardedField;
import io.millrace.net.AddressSet;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problems;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The Valve of class ForwardedField, which evaluates the header Forwarded of RFC 7239. Tomcat has none. */
public final class ForwardedValve extends HandlerValve {

    private static final SettingGroup GROUP = new SettingGroup();
    private static final Setting<AddressSet> TRUSTED = GROUP.add("trusted", AddressSet.TYPE, AddressSet.parse(""), "");

    ForwardedValve() {
        super("io.millrace.forwarded.ForwardedField", Attribute.of(GROUP.settings()));
    }

    @Override
    public void check(Element valve, String parent, Problems problems) {
        if (valve.get(TRUSTED).isEmpty()) {
            problems.error(
                    valve.line(),
                    "no front end is trusted to send the field Forwarded; list their addresses, as in trusted=\"10.0.0.0/8\"");
        }
    }

    @Override
    public UnaryOperator<HttpHandler> handler(Element valve, Path base, Consumer<String> warnings) {
        return ForwardedField.trusting(valve.get(TRUSTED))::wrap;
    }
}
