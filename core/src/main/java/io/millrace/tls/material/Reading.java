package io.millrace.tls.material;

import io.millrace.tls.Password;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsProvider;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.cipher.CipherList;
import io.millrace.tls.cipher.ProtocolVersions;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads files and values, and reports failures in one sentence for the operator. */
final class Reading {

    /** Parses a file. */
    interface Reader<T> {
        T read(Path file) throws IOException, GeneralSecurityException;
    }

    private Reading() {}

    static <T> T file(TlsSetting setting, Path file, Reader<T> reader) {
        try {
            return reader.read(file);
        } catch (IOException | GeneralSecurityException e) {
            throw failure(setting, file, e);
        }
    }

    static char[] password(TlsSetting setting, Password password) {
        try {
            return password.read();
        } catch (IOException e) {
            throw failure(setting, password.file().orElse(Path.of("")), e);
        }
    }

    /** The versions of TLS, newest first. */
    static List<String> versions(String expression) {
        return value(TlsSetting.PROTOCOLS, () -> ProtocolVersions.parse(expression));
    }

    /** The cipher suites of an expression that the implementation supports; null for the strong ones. */
    static CipherList ciphers(@Nullable String expression, TlsProvider provider) {
        List<String> supported = provider.cipherSuites();
        return value(
                TlsSetting.CIPHERS,
                () -> expression == null ? CipherList.strong(supported) : CipherList.of(expression, supported));
    }

    private static <T> T value(TlsSetting setting, Supplier<T> parser) {
        try {
            return parser.get();
        } catch (IllegalArgumentException e) {
            throw new TlsConfigurationException(setting, String.valueOf(e.getMessage()), e);
        }
    }

    static TlsConfigurationException failure(TlsSetting setting, Path file, Exception cause) {
        return new TlsConfigurationException(setting, file + ": " + reason(cause), cause);
    }

    private static String reason(Exception cause) {
        if (cause instanceof NoSuchFileException || cause instanceof java.io.FileNotFoundException) {
            return "there is no such file";
        }
        if (cause instanceof IllegalArgumentException || cause instanceof java.nio.file.FileSystemException) {
            return cause instanceof AccessDeniedException
                    ? "this user may not read it"
                    : "cannot be read (" + cause + ")";
        }
        return String.valueOf(cause.getMessage());
    }
}
