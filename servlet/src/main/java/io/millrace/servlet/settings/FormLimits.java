package io.millrace.servlet.settings;

/**
 * Limits on the parameters and parts of a request, named like the attributes that set them. A negative value: no limit.
 *
 * @param maxParameterCount number of parameters, query and body together
 * @param maxPostSize bytes of a form body, or of all fields of a multipart body together, without file uploads
 * @param maxPartCount number of parts of a multipart body
 * @param maxPartHeaderSize bytes of the header of one part
 */
public record FormLimits(int maxParameterCount, long maxPostSize, int maxPartCount, int maxPartHeaderSize) {

    /** 10,000 parameters, 2 MiB, 50 parts, 512 bytes. */
    public static final FormLimits DEFAULT = new FormLimits(10_000, 2 << 20, 50, 512);
}
