package io.millrace.tls.certificate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Splits a PEM file into blocks. Text outside of them is ignored (RFC 7468, 2). */
final class PemFile {

    /** Far more than any bundle of authorities; prevents reading a wrong, huge file. */
    private static final long MAX_SIZE = 16L << 20;

    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";

    private final List<String> lines;
    private int at;

    private PemFile(String text) {
        lines = text.lines().map(String::strip).toList();
    }

    static List<PemBlock> read(Path file) throws IOException {
        if (Files.size(file) > MAX_SIZE) {
            throw new IOException("is larger than " + (MAX_SIZE >> 20) + " MiB");
        }
        return parse(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
    }

    static List<PemBlock> parse(String text) throws IOException {
        PemFile file = new PemFile(text);
        List<PemBlock> blocks = new ArrayList<>();
        while (file.at < file.lines.size()) {
            String line = file.lines.get(file.at++);
            if (line.startsWith(BEGIN) && line.endsWith(DASHES) && line.length() >= BEGIN.length() + DASHES.length()) {
                blocks.add(file.block(line.substring(BEGIN.length(), line.length() - DASHES.length())));
            }
        }
        return blocks;
    }

    private PemBlock block(String label) throws IOException {
        int began = at;
        Map<String, String> headers = headers();
        StringBuilder base64 = new StringBuilder();
        while (at < lines.size()) {
            String line = lines.get(at++);
            if (line.equals(END + label + DASHES)) {
                return new PemBlock(label, headers, decode(base64.toString(), label, began), began);
            }
            base64.append(line);
        }
        throw new IOException("ends inside the " + label + " of line " + began + "; is it still being written?");
    }

    /** Header fields: name, colon, value (RFC 1421, 4.4). */
    private Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        while (at < lines.size() && lines.get(at).contains(": ")) {
            String line = lines.get(at++);
            int colon = line.indexOf(':');
            headers.put(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        return headers;
    }

    private static byte[] decode(String base64, String label, int line) throws IOException {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IOException("has a " + label + " in line " + line + " that is not Base64", e);
        }
    }
}
