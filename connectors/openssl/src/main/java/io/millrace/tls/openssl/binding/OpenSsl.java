package io.millrace.tls.openssl.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.millrace.natives.LoadedOnce;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The library: located, checked and initialized once per process, and never unloaded. */
public final class OpenSsl {

    private static final int MAJOR = 3;

    /**
     * OPENSSL_INIT_NO_ATEXIT. The library's exit handler would free memory that Java threads still use: they run until the
     * process ends.
     */
    private static final long NO_ATEXIT = 0x80000;

    static final AtomicInteger CONNECTIONS = new AtomicInteger();
    static final AtomicInteger CONTEXTS = new AtomicInteger();

    private static final LoadedOnce LIBRARY = new LoadedOnce(OpenSsl::checked);
    private static Map<String, String> ciphers = Map.of();

    private OpenSsl() {}

    /**
     * Loads the library unless it is loaded already.
     *
     * @return its name and version, such as {@code OpenSSL 3.0.22}
     * @throws IllegalStateException if it cannot be used here, with instructions; the same in each call
     */
    public static String require() {
        return LIBRARY.require();
    }

    private static String checked() throws Throwable {
        MethodHandle number = OpenSslLibrary.ofLong("OpenSSL_version_num");
        MethodHandle text = OpenSslLibrary.ofLong("OpenSSL_version", JAVA_INT);
        MethodHandle initialize = OpenSslLibrary.ofInt("OPENSSL_init_ssl", JAVA_LONG, JAVA_LONG);
        long found = (long) number.invokeExact();
        String name = String.valueOf(OpenSslLibrary.text((long) text.invokeExact(0)));
        if (found >>> 28 != MAJOR) {
            throw new IllegalStateException(OpenSslLibrary.name() + " is " + name + "; required is OpenSSL " + MAJOR);
        }
        if ((int) initialize.invokeExact(NO_ATEXIT, 0L) != 1) {
            throw new IllegalStateException("cannot initialize " + name + ": " + Errors.drain());
        }
        try (SslContext all = SslContext.ofServers()) {
            ciphers = all.everyCipher();
        }
        int date = name.indexOf(' ', name.indexOf(' ') + 1);
        return date < 0 ? name : name.substring(0, date);
    }

    /** The IANA names of its cipher suites. */
    public static synchronized List<String> cipherSuites() {
        require();
        return List.copyOf(ciphers.keySet());
    }

    /** The library's name of a suite; null if it does not have the suite. */
    static synchronized @Nullable String cipher(String ianaName) {
        return ciphers.get(ianaName);
    }

    /** The number of existing connections (SSL). */
    public static int liveConnections() {
        return CONNECTIONS.get();
    }

    /** The number of existing contexts (SSL_CTX). */
    public static int liveContexts() {
        return CONTEXTS.get();
    }

    /** The number of pairs of buffers (BIO) that calls are using. */
    public static int leasedBuffers() {
        return CallBufferPool.leased();
    }
}
