package io.millrace.protocol;

import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.util.List;

/** Creates protocols of one kind by name. Found by {@link java.util.ServiceLoader}. */
public interface ProtocolProvider {

    /** The protocol's name, {@code ajp} for example. */
    String name();

    /**
     * The settings of this protocol besides {@link ProtocolOptions}. Their names are attributes in server.xml, which
     * reads and validates them.
     */
    List<Setting<?>> settings();

    /**
     * Creates the protocol of one connector.
     *
     * @param scheme the scheme of requests that do not specify one
     * @param settings the configured settings; others have their defaults
     * @throws IllegalArgumentException if the settings are invalid; the message says what was found, what was expected
     *     and what to do
     */
    Protocol create(String scheme, Settings settings);
}
