package io.millrace.standalone.config;

/** Connectors that listen elsewhere than on a port. */
final class OtherSockets {

    /** The transport that can. */
    private static final String ABLE = "nio";

    private OtherSockets() {}

    /** Is it a port? What the transport cannot do, or what excludes each other, is reported. */
    static boolean isPort(Values connector, String transport, Problems problems) {
        boolean isFile = connector.isSet("unixDomainSocketPath");
        boolean isInherited = connector.flag("useInheritedChannel");
        if (isFile && isInherited) {
            problems.error(
                    connector.line("useInheritedChannel"),
                    "Connector has both unixDomainSocketPath and useInheritedChannel=\"true\"; expected one of them");
        }
        if ((isFile || isInherited) && !transport.equals(ABLE)) {
            String attribute = isFile ? "unixDomainSocketPath" : "useInheritedChannel";
            problems.error(
                    connector.line(attribute),
                    attribute + " on Connector: the transport '" + transport
                            + "' listens on ports only; use protocol=\"" + ABLE + "\"");
        }
        return !isFile && !isInherited;
    }
}
