package io.millrace.standalone.config.connector;

import io.millrace.settings.Setting;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problems;

/** A Connector for SPDY only. */
public final class SpdyConnector extends ConnectorKind {

    private static final String VERSION = "version";

    /** @param version 3 or 3.1 */
    public SpdyConnector(String version) {
        super(
                replaced(
                        ofHttp(),
                        Protocols.settings("spdy").stream()
                                .<Attribute<?>>map(setting -> attribute(setting, version))
                                .toList()),
                "SSLHostConfig");
    }

    private static <T> Attribute<T> attribute(Setting<T> setting, String version) {
        return setting.name().equals(VERSION) ? Attribute.of(setting, version) : Attribute.of(setting);
    }

    /** Without the module, the port would be one for HTTP. */
    @Override
    public void checkPort(Element connector, Problems problems) {
        super.checkPort(connector, problems);
        if (attribute(VERSION) == null) {
            problems.error(connector.line(PROTOCOL), "SPDY is not installed: add millrace-connector-spdy to lib");
        }
    }
}
