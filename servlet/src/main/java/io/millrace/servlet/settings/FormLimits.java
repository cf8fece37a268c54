package io.millrace.servlet.settings;

import io.millrace.settings.Settings;

/**
 * Limits on what a client may send as parameters and parts, named as the attributes that raise them. Negative: none.
 *
 * @param maxParameterCount parameters of one request, query and body together
 * @param maxPostSize bytes of a form body, and of all multipart fields together
 * @param maxPartCount parts of one multipart body
 * @param maxPartHeaderSize bytes of one part's header
 */
public record FormLimits(int maxParameterCount, long maxPostSize, int maxPartCount, int maxPartHeaderSize) {

    /** 10,000 parameters, 2 MiB, 50 parts, 512 bytes. */
    public static final FormLimits DEFAULT = new FormLimits(10_000, 2 << 20, 50, 512);

    /** Those that are set. */
    public static FormLimits of(Settings settings) {
        return new FormLimits(
                settings.get(ServletOptions.MAX_PARAMETER_COUNT),
                settings.get(ServletOptions.MAX_POST_SIZE),
                settings.get(ServletOptions.MAX_PART_COUNT),
                settings.get(ServletOptions.MAX_PART_HEADER_SIZE));
    }
}
