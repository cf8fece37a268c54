package io.millrace.servlet.model;

/**
 * multipart-config.
 *
 * @param location directory for parts on disk; empty for the context's own
 * @param maxFileSize bytes; -1 unlimited
 * @param maxRequestSize bytes; -1 unlimited
 * @param fileSizeThreshold bytes kept in memory before a part goes to disk
 */
public record MultipartModel(String location, long maxFileSize, long maxRequestSize, int fileSizeThreshold) {}
