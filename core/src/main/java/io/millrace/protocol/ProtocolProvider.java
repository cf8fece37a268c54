package io.millrace.protocol;

import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.util.List;

/** Makes protocols of one kind, for those who know it by name only. Found by {@link java.util.ServiceLoader}. */
public interface ProtocolProvider {

    /** {@code ajp}, for one. */
    String name();

    /**
     * The settings that it declares beyond {@link ProtocolOptions}: by their names they are attributes of server.xml, which
     * reads and checks them.
     */
    List<Setting<?>> settings();

    /**
     * A protocol for one connector.
     *
     * @param scheme the scheme of its requests, where they do not name one
     * @param settings what the operator set; what is not there has its default
     * @throws IllegalArgumentException saying what was found, what was expected and what to do
     */
    Protocol create(String scheme, Settings settings);
}
