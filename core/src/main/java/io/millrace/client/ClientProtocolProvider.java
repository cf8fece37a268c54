package io.millrace.client;

import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;

/** Makes protocols of clients, for those who know a server's address only. Found by {@link java.util.ServiceLoader}. */
public interface ClientProtocolProvider {

    /** The schemes of the addresses that it is for. */
    List<ClientScheme> schemes();

    /**
     * The settings of its protocols: by their names they are attributes of a Proxy element in server.xml, and parameters of a
     * backend's address.
     */
    List<Setting<?>> settings();

    /**
     * A protocol for one server.
     *
     * @param scheme one of {@link #schemes}
     * @param settings what the operator set; what is not there has its default
     * @param responseTimeout how long the server may send nothing, after the request and within its response; zero: no limit
     * @param keepAliveTimeout how long an idle connection is kept
     * @throws IllegalArgumentException if the settings do not do, saying what was found, what was expected and what to do
     */
    ClientProtocol create(ClientScheme scheme, Settings settings, Duration responseTimeout, Duration keepAliveTimeout);

    /**
     * Finds out whether a server speaks the protocol, without asking it for anything else. Blocks; the caller limits the time.
     *
     * @return false if something else has answered; true where the protocol has no such question
     */
    default boolean isSpoken(InputStream from, OutputStream to) throws IOException {
        return true;
    }
}
