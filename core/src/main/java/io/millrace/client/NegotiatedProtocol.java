package io.millrace.client;

import io.millrace.io.Connection;

/**
 * The protocol that the server has selected by ALPN (RFC 7301).
 *
 * @param id the ALPN id of the first
 * @param first the protocol if the server has selected it
 * @param otherwise the protocol if it has selected another one, or none
 */
public record NegotiatedProtocol(String id, ClientProtocol first, ClientProtocol otherwise) implements ClientProtocol {

    @Override
    public ClientSession open(Connection connection, SessionListener listener) throws ClientException {
        boolean selected = id.equals(connection.channel().info().applicationProtocol());
        return (selected ? first : otherwise).open(connection, listener);
    }
}
