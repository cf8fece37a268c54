package io.millrace.handler;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.io.ConnectionInfo;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Lets clients in by their address, or the name of their host: what Tomcat's RemoteAddrValve, RemoteCIDRValve and
 * RemoteHostValve do. A request that is denied is answered at once, on the thread that read its head; its body is not read.
 *
 * @param rule who is let in
 * @param denyStatus what all others are answered, from 400 to 599
 * @param usePeerAddress compares the address of the connection, not the client's that a front end reported
 * @param addConnectorPort compares the address with a semicolon and the port that the connection came by behind it
 * @param byName the requests whose client's name is asked of the name service first, which is done by a worker; one without
 *     a name is called by its address
 */
public record AddressFilter(
        AddressRule rule,
        int denyStatus,
        boolean usePeerAddress,
        boolean addConnectorPort,
        Predicate<HttpExchange> byName) {

    private static final int FORBIDDEN = 403;

    public AddressFilter {
        Objects.requireNonNull(rule);
        Objects.requireNonNull(byName);
        if (denyStatus < 400 || denyStatus > 599) {
            throw new IllegalArgumentException("denyStatus is " + denyStatus + "; expected a number from 400 to 599");
        }
    }

    /** By the client's address; all others are answered 403. */
    public static AddressFilter of(AddressRule rule) {
        return new AddressFilter(rule, FORBIDDEN, false, false, exchange -> false);
    }

    /** The same with another status for those it denies. */
    public AddressFilter withDenyStatus(int status) {
        return new AddressFilter(rule, status, usePeerAddress, addConnectorPort, byName);
    }

    /** The same for the direct peers' addresses. */
    public AddressFilter withPeerAddress() {
        return new AddressFilter(rule, denyStatus, true, addConnectorPort, byName);
    }

    /** The same with the connector's port behind what a client is called. */
    public AddressFilter withConnectorPort() {
        return new AddressFilter(rule, denyStatus, usePeerAddress, true, byName);
    }

    /** The same by names, for the requests of which this is true. */
    public AddressFilter withNames(Predicate<HttpExchange> looksUp) {
        return new AddressFilter(rule, denyStatus, usePeerAddress, addConnectorPort, looksUp);
    }

    /** Passes only requests of allowed addresses to the next handler. */
    public HttpHandler wrap(HttpHandler next) {
        return new AddressFilterHandler(this, next);
    }

    boolean admits(HttpExchange exchange, boolean named) {
        ConnectionInfo connection = exchange.channel().info();
        SocketAddress client = (usePeerAddress ? connection.direct() : connection).remote();
        String called = named ? name(client) : address(client);
        return rule.allows(
                addConnectorPort ? called + ";" + port(connection.direct().local()) : called);
    }

    private static String address(SocketAddress client) {
        if (!(client instanceof InetSocketAddress inet)) {
            return "127.0.0.1"; // a client by a Unix domain socket is a process of this machine
        }
        return inet.getAddress() == null
                ? inet.getHostString()
                : inet.getAddress().getHostAddress();
    }

    /** May take seconds. */
    private static String name(SocketAddress client) {
        return client instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getCanonicalHostName()
                : address(client);
    }

    private static int port(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getPort() : 0;
    }
}
