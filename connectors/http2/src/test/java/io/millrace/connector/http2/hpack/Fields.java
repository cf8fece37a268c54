package io.millrace.connector.http2.hpack;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Header blocks as hexadecimal digits, and their fields as lines of text. */
final class Fields implements HpackDecoder.Fields {

    final List<String> lines = new ArrayList<>();
    boolean tooLarge;

    @Override
    public boolean field(String name, String value, boolean checked) {
        lines.add(name + ": " + value);
        return true;
    }

    @Override
    public void tooLarge() {
        tooLarge = true;
    }

    static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    static Fields decode(HpackDecoder decoder, byte[] block, int maxListSize) throws HpackException {
        Fields fields = new Fields();
        decoder.decode(block, 0, block.length, maxListSize, fields);
        return fields;
    }

    static List<String> decode(HpackDecoder decoder, String block) throws HpackException {
        return decode(decoder, hex(block), 100_000).lines;
    }

    /** A block of fields, given as name and value alternating. */
    static byte[] encode(HpackEncoder encoder, String... fields) {
        ByteBuffer out = ByteBuffer.allocate(200_000);
        encoder.begin(out);
        for (int i = 0; i < fields.length; i += 2) {
            FieldName name = fields[i].startsWith(":") ? FieldName.pseudo(fields[i]) : FieldName.of(fields[i]);
            if (name == null) {
                throw new IllegalArgumentException("no name: " + fields[i]);
            }
            encoder.field(name, fields[i + 1], out);
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    static String[] pairs(List<String> lines) {
        return lines.stream()
                .flatMap(line -> {
                    int colon = line.indexOf(": ");
                    return List.of(line.substring(0, colon), line.substring(colon + 2)).stream();
                })
                .toArray(String[]::new);
    }
}
