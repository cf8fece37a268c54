package io.millrace.io;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The length of the symmetric key of a cipher suite in bits, derived from its IANA or OpenSSL name. */
public final class CipherStrength {

    /** Parts of names without hyphens and underscores; the first one that occurs decides. */
    private static final List<Map.Entry<String, Integer>> MARKS = List.of(
            Map.entry("AES256", 256),
            Map.entry("AES128", 128),
            Map.entry("CHACHA20", 256),
            Map.entry("CAMELLIA256", 256),
            Map.entry("CAMELLIA128", 128),
            Map.entry("ARIA256", 256),
            Map.entry("ARIA128", 128),
            Map.entry("SEED", 128),
            Map.entry("IDEA", 128),
            Map.entry("3DES", 168),
            Map.entry("DESCBC3", 168),
            Map.entry("EXPORT", 40),
            Map.entry("RC4", 128),
            Map.entry("DES", 56),
            Map.entry("NULL", 0));

    private CipherStrength() {}

    /** The key length in bits; null for an unknown suite, 0 for one without encryption. */
    public static @Nullable Integer bits(String suite) {
        String name = suite.replace("-", "").replace("_", "");
        for (Map.Entry<String, Integer> mark : MARKS) {
            if (name.contains(mark.getKey())) {
                return mark.getValue();
            }
        }
        return null;
    }
}
