package io.millrace.files;

import java.util.List;

/**
 * A kind of precompressed file next to a file.
 *
 * @param coding the value of {@code Content-Encoding}
 * @param suffix added to the file's name, {@code .gz} for example
 */
public record Precompressed(String coding, String suffix) {

    /** The common kinds, the smallest first. */
    public static final List<Precompressed> USUAL = List.of(
            new Precompressed("br", ".br"), new Precompressed("zstd", ".zst"), new Precompressed("gzip", ".gz"));
}
