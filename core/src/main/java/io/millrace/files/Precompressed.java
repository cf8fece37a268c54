package io.millrace.files;

import java.util.List;

/**
 * A kind of compressed sibling that may lie beside a file.
 *
 * @param coding as {@code Content-Encoding} has it
 * @param suffix of its file, after the name of the plain one: {@code .gz}
 */
public record Precompressed(String coding, String suffix) {

    /** The usual ones, the smallest first. */
    public static final List<Precompressed> USUAL = List.of(
            new Precompressed("br", ".br"), new Precompressed("zstd", ".zst"), new Precompressed("gzip", ".gz"));
}
