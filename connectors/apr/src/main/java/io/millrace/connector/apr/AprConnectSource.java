package io.millrace.connector.apr;

import io.millrace.connector.apr.binding.AprSocket;
import io.millrace.connector.apr.binding.Polled;
import io.millrace.connector.apr.binding.Pollset;
import io.millrace.io.TransportOptions;
import io.millrace.io.socket.ConnectSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;

/** Connects APR sockets, with the pollset of the accept thread. */
final class AprConnectSource implements ConnectSource<AprSocket> {

    private final TransportOptions options;
    private final Pollset pollset;

    AprConnectSource(TransportOptions options, Pollset pollset) {
        this.options = options;
        this.pollset = pollset;
    }

    @Override
    public Attempt connect(SocketAddress to, Outcome<? super AprSocket> outcome) throws IOException {
        if (!(to instanceof InetSocketAddress port)) {
            throw new UnsupportedAddressTypeException();
        }
        if (port.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        AprSocket socket = AprSocket.outgoing(port, options.get(TransportOptions.RECEIVE_BUFFER));
        boolean begun = false;
        try {
            AprAcceptSource.configure(socket, options);
            Connecting attempt = new Connecting(socket, outcome);
            attempt.begin(port);
            begun = true;
            return attempt;
        } finally {
            if (!begun) {
                socket.close();
            }
        }
    }

    /** One attempt. Closing its socket removes it from the pollset, if it is still in it. */
    private final class Connecting implements Attempt, Polled {

        private final AprSocket socket;
        private final Outcome<? super AprSocket> outcome;
        private boolean ended;

        Connecting(AprSocket socket, Outcome<? super AprSocket> outcome) {
            this.socket = socket;
            this.outcome = outcome;
        }

        /** A socket that connects at once is writable at once, which the pollset reports. */
        void begin(InetSocketAddress to) throws IOException {
            socket.join(pollset, this);
            socket.connect(to);
            socket.watch(AprSocket.WRITABLE, 0);
        }

        @Override
        public void ready(int events) {
            if (ended) {
                return;
            }
            ended = true;
            try {
                socket.finishConnect();
                socket.leavePollset();
            } catch (Throwable failed) {
                socket.close();
                outcome.failed(failed);
                return;
            }
            outcome.connected(socket);
        }

        @Override
        public void abandon() {
            if (!ended) {
                ended = true;
                socket.close();
            }
        }

        @Override
        public void gone() {
            pollset.forget(socket);
        }
    }
}
