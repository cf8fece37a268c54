package io.millrace.servlet.model;

/**
 * multipart-config.
 *
 * @param location the directory of parts that are stored on disk, absolute or relative to the context's temporary directory;
 *     empty: that directory itself
 * @param maxFileSize largest size of one part, in bytes; -1: no limit
 * @param maxRequestSize largest size of the body, in bytes; -1: no limit
 * @param fileSizeThreshold bytes of a part that are kept in memory; a larger part is stored on disk
 */
public record MultipartModel(String location, long maxFileSize, long maxRequestSize, int fileSizeThreshold) {

    private static final int IN_MEMORY = 2 << 20;

    /**
     * The one of servlets that declare none, where their application has multipart bodies parsed for them.
     *
     * @param limit largest size of the body, in bytes; -1: no limit
     */
    public static MultipartModel undeclared(long limit) {
        return new MultipartModel("", limit, limit, IN_MEMORY);
    }
}
