package io.millrace.testkit;

import io.millrace.io.BufferPool;
import java.io.IOException;
import java.net.SocketException;

/** A client's link to a server over a socket. */
public final class SocketLink implements ContractLink {

    private static final int MOST = 64 * 1024;

    private final RawClient client;
    private final BufferPool serverBuffers;

    /**
     * A link over a connected client.
     *
     * @param serverBuffers the server's buffer pool
     */
    public SocketLink(RawClient client, BufferPool serverBuffers) {
        this.client = client;
        this.serverBuffers = serverBuffers;
    }

    @Override
    public void send(byte[] bytes) throws IOException {
        client.send(bytes);
    }

    @Override
    public byte[] receive() throws IOException {
        try {
            return client.readSome(MOST);
        } catch (SocketException reset) {
            return new byte[0];
        }
    }

    /** Nothing to do: input that is not read stays in the socket, until the server can write no more. */
    @Override
    public void pause() {}

    @Override
    public void finish() throws IOException {
        client.finish();
    }

    @Override
    public void breakOff() throws IOException {
        client.reset();
    }

    @Override
    public void checkNothingHeld() throws Exception {
        Deadline.await("every chunk to be released", () -> serverBuffers.outstanding() == 0);
    }
}
