package io.millrace.tls;

import io.millrace.settings.SettingType;
import java.util.Locale;

/** Whether clients are asked for a certificate, and what comes of the answer. */
public enum ClientVerification {
    /** They are not asked. */
    NONE,
    /** They are asked; one without a certificate is let in, one with a certificate that does not verify is not. */
    OPTIONAL,
    /** A certificate is requested; any is accepted, whoever signed it. The application must verify it. */
    OPTIONAL_NO_CA,
    /** They are asked; one without a certificate that verifies is not let in. */
    REQUIRED;

    /** How server.xml says it: Tomcat's own words, the old ones of JSSE, and those of mod_ssl. */
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
