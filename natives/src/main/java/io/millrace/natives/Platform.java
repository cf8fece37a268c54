package io.millrace.natives;

import java.util.Set;

/** The platform on which this process runs. */
public final class Platform {

    private static final Set<String> ARCHITECTURES = Set.of("amd64", "x86_64", "aarch64");

    private Platform() {}

    /**
     * Checks for Linux on x86-64 or aarch64: the structures and error numbers in the bindings are the same on both.
     *
     * @throws IllegalStateException on other platforms
     */
    public static void requireLinux64() {
        String system = System.getProperty("os.name", "");
        String architecture = System.getProperty("os.arch", "");
        if (!system.equals("Linux") || !ARCHITECTURES.contains(architecture)) {
            throw new IllegalStateException(
                    "it requires Linux on x86-64 or aarch64; this is " + system + " on " + architecture);
        }
    }
}
