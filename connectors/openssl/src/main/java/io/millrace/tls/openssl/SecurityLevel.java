package io.millrace.tls.openssl;

import io.millrace.tls.TlsHost;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How weak keys and hashes may be, as OpenSSL counts it: a command of its cipher lists, which is no cipher. */
final class SecurityLevel {

    private static final Pattern COMMAND = Pattern.compile("@SECLEVEL=[0-5]");

    private SecurityLevel() {}

    /** {@code @SECLEVEL=1}, for instance; empty if the host says nothing, and the system's configuration decides. */
    static String of(TlsHost host) {
        String ciphers = host.ciphers();
        Matcher command = COMMAND.matcher(ciphers == null ? "" : ciphers);
        return command.find() ? command.group() : "";
    }
}
