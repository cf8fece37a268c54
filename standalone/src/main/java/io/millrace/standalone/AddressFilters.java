package io.millrace.standalone;

import io.millrace.Connector;
import io.millrace.handler.AddressFilter;
import io.millrace.servlet.settings.ServletOptions;
import io.millrace.settings.Settings;
import io.millrace.standalone.config.AddressValves;
import io.millrace.standalone.config.Values;

/** Creates address filters from Tomcat's Valves. */
final class AddressFilters {

    private AddressFilters() {}

    static AddressFilter of(Values valve) {
        AddressFilter filter = AddressFilter.of(AddressValves.rule(valve)).withDenyStatus(valve.number("denyStatus"));
        filter = valve.flag("addConnectorPort") ? filter.withConnectorPort() : filter;
        filter = AddressValves.isByPeer(valve) ? filter.withPeerAddress() : filter;
        return AddressValves.isByName(valve)
                ? filter.withNames(exchange -> {
                    Settings connector = exchange.attributes().get(Connector.SETTINGS);
                    return connector != null && connector.get(ServletOptions.ENABLE_LOOKUPS);
                })
                : filter;
    }
}
