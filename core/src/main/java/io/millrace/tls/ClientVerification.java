package io.millrace.tls;

import io.millrace.settings.SettingType;
import java.util.Locale;

/** Whether clients' certificates are requested, and how they are verified. */
public enum ClientVerification {
    /** No certificate is requested. */
    NONE,
    /** A certificate is requested. A client without one is accepted; one whose certificate is not trusted is rejected. */
    OPTIONAL,
    /** A certificate is requested. Any certificate is accepted, whatever its issuer; the application must verify it. */
    OPTIONAL_NO_CA,
    /** A certificate is requested. A client without a trusted one is rejected. */
    REQUIRED;

    /** The values in server.xml: Tomcat's, the older ones of JSSE, and those of mod_ssl. */
    static final SettingType<ClientVerification> TYPE = SettingType.constant(ClientVerification.class)
            .readFrom(
                    SettingType.word(
                            "none",
                            "optional",
                            "optionalNoCA",
                            "required",
                            "true",
                            "yes",
                            "want",
                            "false",
                            "no",
                            "optional_no_ca",
                            "require"),
                    ClientVerification::of);

    private static ClientVerification of(String word) {
        return switch (word.strip().toLowerCase(Locale.ROOT)) {
            case "required", "require", "true", "yes" -> REQUIRED;
            case "optional", "want" -> OPTIONAL;
            case "optionalnoca", "optional_no_ca" -> OPTIONAL_NO_CA;
            default -> NONE;
        };
    }
}
