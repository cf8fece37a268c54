package io.millrace.tls;

import io.millrace.settings.SettingType;
import java.util.Locale;

/** Whether clients are asked for a certificate, and how it is verified. */
public enum ClientVerification {
    /** Clients are not asked. */
    NONE,
    /** Clients are asked. A client without a certificate is accepted, one whose certificate is not trusted is rejected. */
    OPTIONAL,
    /** Clients are asked. Any certificate is accepted, whoever signed it; the application must verify it. */
    OPTIONAL_NO_CA,
    /** Clients are asked. A client without a trusted certificate is rejected. */
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
