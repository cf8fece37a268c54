package io.millrace.tls.openssl.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.millrace.natives.LoadedOnce;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The library: found, checked and initialized once in a process, and never given up. */
public final class OpenSsl {

    private static final int MAJOR = 3;

    /**
     * OPENSSL_INIT_NO_ATEXIT. At its exit the library would free what threads of Java still use: theirs go on until the
     * process is gone.
     */
    private static final long NO_ATEXIT = 0x80000;

    static final AtomicInteger CONNECTIONS = new AtomicInteger();
    static final AtomicInteger CONTEXTS = new AtomicInteger();

    private static final LoadedOnce LIBRARY = new LoadedOnce(OpenSsl::checked);
    private static Map<String, String> ciphers = Map.of();

    private OpenSsl() {}

    /**
     * Loads the library if that has not been done.
     *
     * @return its name and version, such as {@code OpenSSL 3.0.22}
     * @throws IllegalStateException if it can't be used here, saying what to do; the same each time
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
            throw new IllegalStateException(
                    OpenSslLibrary.name() + " is " + name + "; what is needed is OpenSSL " + MAJOR);
        }
        if ((int) initialize.invokeExact(NO_ATEXIT, 0L) != 1) {
            throw new IllegalStateException(name + " can't be initialized: " + Errors.drain());
        }
        try (SslContext all = SslContext.ofServers()) {
            ciphers = all.everyCipher();
        }
        int date = name.indexOf(' ', name.indexOf(' ') + 1);
        return date < 0 ? name : name.substring(0, date);
    }

    /** The cipher suites it has, by their IANA names. */
    public static synchronized List<String> cipherSuites() {
        require();
        return List.copyOf(ciphers.keySet());
    }

    /** What the library calls a suite; null if it has none of this IANA name. */
    static synchronized @Nullable String cipher(String ianaName) {
        return ciphers.get(ianaName);
    }

    /** Connections (SSL) that exist now. */
    public static int liveConnections() {
        return CONNECTIONS.get();
    }

    /** Contexts (SSL_CTX) that exist now. */
    public static int liveContexts() {
        return CONTEXTS.get();
    }

    /** Pairs of buffers (BIO) that are lent to a call at this moment. */
    public static int lentBuffers() {
        return CallBufferPool.lent();
    }
}
