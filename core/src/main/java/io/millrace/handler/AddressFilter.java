package io.millrace.handler;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.io.ConnectionInfo;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Admits clients by their address or host name, like Tomcat's RemoteAddrValve, RemoteCIDRValve and RemoteHostValve. A
 * denied request gets its response immediately, on the thread that read its head; its body is not read.
 *
 * @param rule which clients are allowed
 * @param denyStatus the status of the response to others, 400 to 599
 * @param usePeerAddress whether to check the address of the connection's peer instead of the client address that a front
 *     end reported
 * @param addConnectorPort whether to append a semicolon and the connector's port to the address before it is checked
 * @param byName selects the requests that are checked by the client's host name, which is looked up on a worker; a
 *     client without a name is checked by its address
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

    /** A filter by the client's address; denied requests get a 403 response. */
    public static AddressFilter of(AddressRule rule) {
        return new AddressFilter(rule, FORBIDDEN, false, false, exchange -> false);
    }

    /** The same filter with another status for denied requests. */
    public AddressFilter withDenyStatus(int status) {
        return new AddressFilter(rule, status, usePeerAddress, addConnectorPort, byName);
    }

    /** The same filter, applied to the addresses of direct peers. */
    public AddressFilter withPeerAddress() {
        return new AddressFilter(rule, denyStatus, true, addConnectorPort, byName);
    }

    /** The same filter, with the connector's port appended to the address. */
    public AddressFilter withConnectorPort() {
        return new AddressFilter(rule, denyStatus, usePeerAddress, true, byName);
    }

    /** The same filter, applied to host names for the selected requests. */
    public AddressFilter withNames(Predicate<HttpExchange> looksUp) {
        return new AddressFilter(rule, denyStatus, usePeerAddress, addConnectorPort, looksUp);
    }

    /** A handler that passes only requests of allowed clients to another one. */
    public HttpHandler wrap(HttpHandler next) {
        // not a NonBlockingHandler, so that no I/O thread waits for a name lookup
        HttpHandler named = exchange -> decide(exchange, true, next);
        return (NonBlockingHandler) exchange -> {
            if (byName.test(exchange)) {
                exchange.dispatch(named);
            } else {
                decide(exchange, false, next);
            }
        };
    }

    private void decide(HttpExchange exchange, boolean named, HttpHandler next) throws Exception {
        if (admits(exchange, named)) {
            Route.follow(exchange, next);
        } else {
            Responses.error(exchange, denyStatus);
        }
    }

    private boolean admits(HttpExchange exchange, boolean named) {
        ConnectionInfo connection = exchange.channel().info();
        SocketAddress client = (usePeerAddress ? connection.direct() : connection).remote();
        String called = named ? name(client) : address(client);
        return rule.allows(
                addConnectorPort ? called + ";" + port(connection.direct().local()) : called);
    }

    private static String address(SocketAddress client) {
        if (!(client instanceof InetSocketAddress inet)) {
            return "127.0.0.1"; // a client on a Unix domain socket is a process on this machine
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
