package io.millrace.tls.openssl;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** OpenSSL's security level, which limits how weak keys and hashes may be: a command in its cipher lists. */
final class SecurityLevel {

    private static final Pattern COMMAND = Pattern.compile("@SECLEVEL=[0-5]");

    private SecurityLevel() {}

    /** The command, such as {@code @SECLEVEL=1}; empty if the list has none, and the system's configuration decides. */
    static String of(@Nullable String ciphers) {
        Matcher command = COMMAND.matcher(ciphers == null ? "" : ciphers);
        return command.find() ? command.group() : "";
    }
}
