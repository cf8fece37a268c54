package io.millrace.client.mux;

import io.millrace.client.ClientException;
import io.millrace.client.ClientProtocol;
import io.millrace.client.ClientSession;
import io.millrace.client.SessionListener;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionInfo;
import io.millrace.protocol.mux.FrameReader;
import io.millrace.protocol.mux.MuxContext;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Settings;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The client side of a multiplexed protocol: selected by ALPN over TLS, and by prior knowledge without TLS. Does not accept
 * pushed responses. Thread-safe.
 */
public final class MuxClient implements ClientProtocol {

    private final MuxContext context;
    private final String agreed;
    private final Function<ConnectionInfo, FrameReader> readers;
    private final Supplier<ClientFrameWriter> writers;

    /**
     * A client.
     *
     * @param options the limits, from {@link MuxOptions#ofClient}
     * @param agreed the protocol's ALPN id
     * @param readers creates the reader of a connection
     * @param writers creates the writer of a connection, which begins with the preface, if the protocol has one
     */
    public MuxClient(
            Settings options,
            String agreed,
            Function<ConnectionInfo, FrameReader> readers,
            Supplier<ClientFrameWriter> writers) {
        context = new MuxContext(options);
        this.agreed = agreed;
        this.readers = readers;
        this.writers = writers;
    }

    @Override
    public ClientSession open(Connection connection, SessionListener listener) throws ClientException {
        FrameReader reader = readers.apply(connection.channel().info());
        return MuxClientConnection.open(context, connection, agreed, reader, writers.get(), listener);
    }

    @Override
    public int streams() {
        return MuxClientConnection.expectedStreams(context);
    }
}
