package io.millrace.io.socket;

import io.millrace.io.DialException;
import io.millrace.io.DialException.Reason;
import io.millrace.io.Dialer;
import io.millrace.io.Timers;
import io.millrace.net.IpLiteral;
import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * An outgoing connection attempt: resolves the name, tries the addresses, and passes the first socket that connects to the
 * threads that serve connections. Confined to the dialer's thread, except {@link #cancel} and {@link #failLater}.
 *
 * @param <S> the type of sockets
 */
final class SocketDial<S extends Closeable> implements Dialer.Dial {

    /** The Connection Attempt Delay of RFC 8305, 5. */
    private static final Duration ATTEMPT_DELAY = Duration.ofMillis(250);

    private final SocketDialer<S> dialer;
    private final SocketAddress to;
    private final Duration timeout;
    private final Dialer.Listener listener;

    private DialState state = DialState.RESOLVING;
    private final Queue<SocketAddress> untried = new ArrayDeque<>();
    private final List<AddressAttempt> attempts = new ArrayList<>();
    private Timers.@Nullable Timer deadline;
    private Timers.@Nullable Timer nextAttempt;
    private @Nullable DialException firstFailure;

    SocketDial(SocketDialer<S> dialer, SocketAddress to, Duration timeout, Dialer.Listener listener) {
        this.dialer = dialer;
        this.to = to;
        this.timeout = timeout;
        this.listener = listener;
    }

    @Override
    public void cancel() {
        failLater(Reason.CANCELLED, "cancelled");
    }

    /** Fails on the dialer's thread. Thread-safe. */
    void failLater(Reason reason, String why) {
        dialer.thread().execute(() -> fail(reason, why));
    }

    // ---- on the dialer's thread

    void start() {
        if (state != DialState.RESOLVING) {
            return; // cancelled or stopped before it began
        }
        try {
            deadline = dialer.timers()
                    .schedule(
                            () -> failLater(Reason.TIMED_OUT, "no connection within " + timeout.toMillis() + " ms"),
                            timeout);
            if (to instanceof InetSocketAddress inet && inet.isUnresolved()) {
                resolve(inet.getHostString(), inet.getPort());
            } else {
                connect(List.of(to));
            }
        } catch (Throwable failed) {
            fail(DialFailures.because(to, failed));
        }
    }

    private void resolve(String host, int port) {
        InetAddress literal = IpLiteral.parse(host);
        if (literal == null) {
            dialer.resolver().resolve(host, new Addresses(port));
        } else { // does not wait for a resolver thread
            connect(List.of(new InetSocketAddress(literal, port)));
        }
    }

    private void connect(List<? extends SocketAddress> addresses) {
        if (move(DialState.Event.ADDRESSES)) {
            untried.addAll(addresses);
            next();
        }
    }

    /** Tries the next address; fails if there is none and no attempt is in progress. */
    private void next() {
        cancel(nextAttempt);
        nextAttempt = null;
        while (state == DialState.CONNECTING && !untried.isEmpty()) {
            AddressAttempt attempt = new AddressAttempt(untried.remove());
            if (attempt.begin()) {
                break;
            }
        }
        if (state != DialState.CONNECTING) {
            return;
        }
        DialException why = firstFailure;
        if (attempts.isEmpty() && why != null) {
            fail(why);
        } else if (!untried.isEmpty()) {
            nextAttempt = dialer.timers().schedule(() -> dialer.thread().execute(this::nextInTime), ATTEMPT_DELAY);
        }
    }

    private void nextInTime() {
        if (state == DialState.CONNECTING) {
            attemptNext();
        }
    }

    /** Any failure, such as a lack of memory for a timer, ends the dial. */
    private void attemptNext() {
        try {
            next();
        } catch (Throwable failed) {
            fail(DialFailures.because(to, failed));
        }
    }

    private void connected(S socket) {
        if (!move(DialState.Event.CONNECTED)) {
            dialer.discard(socket);
            return;
        }
        boolean adopted = false;
        try {
            end();
            dialer.adopter()
                    .adopt(
                            socket,
                            listener::onConnected,
                            failed -> dialer.notifyFailed(listener, DialFailures.because(to, failed)));
            adopted = true;
        } catch (Throwable failed) {
            dialer.notifyFailed(listener, DialFailures.because(to, failed));
        } finally {
            if (!adopted) {
                dialer.discard(socket);
                dialer.left();
            }
        }
    }

    private void fail(Reason reason, String why) {
        fail(new DialException(reason, DialFailures.describe(to), why, firstFailure));
    }

    private void fail(DialException why) {
        if (!move(DialState.Event.FAILED)) {
            return;
        }
        try {
            end();
        } finally {
            try {
                dialer.notifyFailed(listener, why);
            } finally {
                dialer.left();
            }
        }
    }

    /** Cancels timers and attempts. */
    private void end() {
        dialer.forget(this);
        cancel(deadline);
        cancel(nextAttempt);
        attempts.forEach(AddressAttempt::abandon);
        attempts.clear();
        untried.clear();
    }

    private static void cancel(Timers.@Nullable Timer timer) {
        if (timer != null) {
            timer.cancel();
        }
    }

    /** False if the dial has already ended. */
    private boolean move(DialState.Event event) {
        DialState from = state;
        state = DialState.next(from, event);
        return state != from;
    }

    /** The addresses of the host's name. */
    private final class Addresses implements HostResolver.Listener {

        private final int port;

        Addresses(int port) {
            this.port = port;
        }

        @Override
        public void found(List<InetAddress> addresses) {
            List<InetSocketAddress> all = addresses.stream()
                    .map(each -> new InetSocketAddress(each, port))
                    .toList();
            dialer.thread().execute(() -> connectTo(all));
        }

        private void connectTo(List<InetSocketAddress> all) {
            try {
                connect(all);
            } catch (Throwable failed) {
                SocketDial.this.fail(DialFailures.because(to, failed));
            }
        }

        @Override
        public void failed(Throwable cause) {
            dialer.thread().execute(() -> SocketDial.this.fail(DialFailures.because(to, cause)));
        }
    }

    /** The attempt to reach one address. */
    private final class AddressAttempt implements ConnectSource.Outcome<S> {

        private final SocketAddress address;
        private ConnectSource.@Nullable Attempt attempt;
        private boolean beginning;

        AddressAttempt(SocketAddress address) {
            this.address = address;
        }

        /** False if it has failed already. */
        boolean begin() {
            attempts.add(this); // before the call, in which it may end
            beginning = true;
            try {
                attempt = dialer.source().connect(address, this);
            } catch (Throwable failed) {
                attempts.remove(this);
                note(failed);
            } finally {
                beginning = false;
            }
            return attempts.contains(this);
        }

        void abandon() {
            ConnectSource.Attempt current = attempt;
            if (current != null) {
                current.abandon();
            }
        }

        @Override
        public void connected(S socket) {
            attempts.remove(this);
            SocketDial.this.connected(socket);
        }

        @Override
        public void failed(Throwable cause) {
            attempts.remove(this);
            if (state == DialState.CONNECTING) {
                note(cause);
                if (!beginning) { // otherwise the caller of begin() continues
                    attemptNext();
                }
            }
        }

        private void note(Throwable cause) {
            DialException failure = DialFailures.because(address, cause);
            DialException first = firstFailure;
            if (first == null) {
                firstFailure = failure;
            } else {
                first.addSuppressed(failure);
            }
        }
    }

    /** Classifies failures to connect. The JDK distinguishes some of them only by the text of the system's message. */
    private static final class DialFailures {

        private DialFailures() {}

        static DialException because(SocketAddress to, Throwable cause) {
            Reason reason = reason(to, cause);
            return new DialException(reason, describe(to), words(reason, cause), cause);
        }

        /** The host as given, with the port; or the path. */
        static String describe(SocketAddress address) {
            if (!(address instanceof InetSocketAddress inet)) {
                return address.toString();
            }
            String host = inet.getHostString();
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + inet.getPort();
        }

        private static String words(Reason reason, Throwable cause) {
            return switch (reason) {
                case UNKNOWN_HOST -> "unknown host";
                case UNSUPPORTED -> "this transport does not support addresses of this kind";
                default -> cause.getMessage() == null ? cause.toString() : cause.getMessage();
            };
        }

        static Reason reason(SocketAddress to, Throwable cause) {
            if (cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException) {
                return Reason.UNKNOWN_HOST;
            }
            if (cause instanceof UnsupportedAddressTypeException || cause instanceof UnsupportedOperationException) {
                return Reason.UNSUPPORTED;
            }
            if (cause instanceof BindException || cause instanceof Error) { // no local port left, no memory
                return Reason.RESOURCES;
            }
            if (cause instanceof NoRouteToHostException) {
                return Reason.UNREACHABLE;
            }
            return cause instanceof IOException ? byWords(to, cause) : Reason.FAILED;
        }

        private static Reason byWords(SocketAddress to, Throwable cause) {
            String text = text(cause);
            if (text.contains("timed out")) {
                return Reason.TIMED_OUT;
            }
            if (text.contains("unreachable") || text.contains("no route")) {
                return Reason.UNREACHABLE;
            }
            if (text.contains("too many open files") || text.contains("no buffer space")) {
                return Reason.RESOURCES;
            }
            boolean nothingBound = to instanceof UnixDomainSocketAddress && text.contains("no such file");
            return cause instanceof ConnectException || text.contains("refused") || nothingBound
                    ? Reason.REFUSED
                    : Reason.FAILED;
        }

        private static String text(Throwable cause) {
            @Nullable String message = cause.getMessage();
            return message == null ? "" : message.toLowerCase(Locale.ROOT);
        }
    }
}
