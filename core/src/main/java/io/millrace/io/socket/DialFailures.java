package io.millrace.io.socket;

import io.millrace.io.DialException;
import io.millrace.io.DialException.Reason;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Classifies failures to connect. The JDK distinguishes some of them only by the text of the system's message. */
final class DialFailures {

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
