package io.millrace.client;

import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;

/** Creates the client side of protocols, selected by URI scheme. Found by {@link java.util.ServiceLoader}. */
public interface ClientProtocolProvider {

    /** The URI schemes of its protocols. */
    List<ClientScheme> schemes();

    /**
     * The settings of its protocols. Their names are attributes of a Proxy element in server.xml, and parameters of a
     * backend's address.
     */
    List<Setting<?>> settings();

    /**
     * Creates the protocol for one server.
     *
     * @param scheme one of {@link #schemes}
     * @param settings the configured settings; others have their defaults
     * @param responseTimeout how long the server may send nothing after the request and within its response; zero for no
     *     limit
     * @param keepAliveTimeout how long an idle connection is kept
     * @throws IllegalArgumentException if the settings are invalid; the message says what was found, what was expected
     *     and what to do
     */
    ClientProtocol create(ClientScheme scheme, Settings settings, Duration responseTimeout, Duration keepAliveTimeout);

    /**
     * Checks whether a server speaks the protocol, without sending a request. Blocks; the caller limits the time.
     *
     * @return false if the server's response is of another protocol; true if the protocol has no such check
     */
    default boolean isSpoken(InputStream from, OutputStream to) throws IOException {
        return true;
    }
}
