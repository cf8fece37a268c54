package io.millrace.servlet.identity;

import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code salt$iterations$hash}, salt and hash in hex: Tomcat's format of salted hashes. */
@SuppressWarnings("ArrayRecordComponent") // never compared as a record
record SaltedHash(byte[] salt, int iterations, byte[] hash) {

    private static final Pattern SYNTAX =
            Pattern.compile("((?:[0-9a-fA-F]{2})*)\\$([0-9]{1,9})\\$((?:[0-9a-fA-F]{2})+)");

    /** Null if the text is not in this format. */
    static @Nullable SaltedHash parse(String stored) {
        Matcher parts = SYNTAX.matcher(stored);
        if (!parts.matches()) {
            return null;
        }
        HexFormat hex = HexFormat.of();
        int iterations = Math.max(1, Integer.parseInt(parts.group(2)));
        return new SaltedHash(hex.parseHex(parts.group(1)), iterations, hex.parseHex(parts.group(3)));
    }
}
