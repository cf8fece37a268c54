package io.millrace.protocol.mux;

import io.millrace.client.ClientException;
import io.millrace.client.ClientProtocol;
import io.millrace.client.ClientSession;
import io.millrace.client.SessionListener;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionInfo;
import io.millrace.settings.Settings;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A protocol with many requests on a connection, as a client: by ALPN over TLS, without TLS by what both sides were told. Pushed
 * responses are not taken. Any thread.
 */
public final class MuxClient implements ClientProtocol {

    private final MuxContext context;
    private final String agreed;
    private final Function<ConnectionInfo, FrameReader> readers;
    private final Supplier<FrameWriter> writers;

    /**
     * A client.
     *
     * @param options the limits, as {@link MuxOptions#ofClient} makes them
     * @param agreed the protocol's ALPN id
     * @param readers of responses, one for each connection
     * @param writers of requests; they begin with the connection preface, if the protocol has one
     */
    public MuxClient(
            Settings options,
            String agreed,
            Function<ConnectionInfo, FrameReader> readers,
            Supplier<FrameWriter> writers) {
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
