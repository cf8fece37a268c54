package io.millrace;

import io.millrace.exchange.RequestMeter;
import io.millrace.io.OpenConnection;
import java.net.SocketAddress;
import java.util.List;

/**
 * What a connector is doing; out of date as soon as it is read, except for the meter.
 *
 * @param address on which it listens
 * @param requests counts its requests, and knows those in progress
 * @param open the number of open connections
 * @param connections the open connections
 */
public record ConnectorState(
        Connector connector, SocketAddress address, RequestMeter requests, int open, List<OpenConnection> connections) {

    public ConnectorState {
        connections = List.copyOf(connections);
    }
}
