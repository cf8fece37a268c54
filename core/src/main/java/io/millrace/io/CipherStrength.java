package io.millrace.io;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How many bits the symmetric key of a cipher suite has. Its name is all that says so, IANA's as well as OpenSSL's. */
public final class CipherStrength {

    /** Marks in names without hyphens and underscores; the first that occurs decides. */
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

    /** Null for an unknown suite. */
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
