package io.millrace.natives;

import java.util.Set;

/** What this process runs on. */
public final class Platform {

    private static final Set<String> ARCHITECTURES = Set.of("amd64", "x86_64", "aarch64");

    private Platform() {}

    /**
     * Makes sure of Linux on x86-64 or aarch64, whose structures and error numbers the bindings are written for: they are
     * the same on both.
     *
     * @throws IllegalStateException on another
     */
    public static void requireLinux64() {
        String system = System.getProperty("os.name", "");
        String architecture = System.getProperty("os.arch", "");
        if (!system.equals("Linux") || !ARCHITECTURES.contains(architecture)) {
            throw new IllegalStateException(
                    "it works on Linux, on x86-64 and aarch64; this is " + system + " on " + architecture);
        }
    }
}
