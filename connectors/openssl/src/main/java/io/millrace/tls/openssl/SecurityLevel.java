package io.millrace.tls.openssl;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How weak keys and hashes may be, as OpenSSL counts it: a command of its cipher lists, which is no cipher. */
final class SecurityLevel {

    private static final Pattern COMMAND = Pattern.compile("@SECLEVEL=[0-5]");

    private SecurityLevel() {}

    /** {@code @SECLEVEL=1}, for instance; empty if they say nothing, and the system's configuration decides. */
    static String of(@Nullable String ciphers) {
        Matcher command = COMMAND.matcher(ciphers == null ? "" : ciphers);
        return command.find() ? command.group() : "";
    }
}
