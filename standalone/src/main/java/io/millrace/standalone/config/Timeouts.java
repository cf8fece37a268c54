package io.millrace.standalone.config;

/** Which attribute of a Connector says how long it waits. */
public final class Timeouts {

    private Timeouts() {}

    /** For a request: socket.soTimeout is the longer way to say connectionTimeout. */
    public static String ofConnection(Values connector) {
        return !connector.isSet("connectionTimeout") && connector.isSet("socket.soTimeout")
                ? "socket.soTimeout"
                : "connectionTimeout";
    }

    /** Between requests: the same, unless there is a time of its own. */
    public static String ofKeepAlive(Values connector) {
        return connector.isSet("keepAliveTimeout") ? "keepAliveTimeout" : ofConnection(connector);
    }
}
