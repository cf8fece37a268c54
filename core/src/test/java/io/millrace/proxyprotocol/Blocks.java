package io.millrace.proxyprotocol;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/** Builds headers of version 2. */
final class Blocks {

    static final int PROXY = 0x21;
    static final int LOCAL = 0x20;
    static final String TCP4 = "c6336407" + "c0000201" + "1267" + "01bb"; // 198.51.100.7:4711, 192.0.2.1:443
    private static final byte[] SIGNATURE = "\r\n\r\n\0\r\nQUIT\n".getBytes(StandardCharsets.US_ASCII);

    private Blocks() {}

    /** A header with the correct length. */
    static byte[] header(int versionAndCommand, int family, String... hex) {
        byte[] block = HexFormat.of().parseHex(String.join("", hex));
        return header(versionAndCommand, family, block.length, block);
    }

    /** A header that announces this length. */
    static byte[] header(int versionAndCommand, int family, int length, byte[] block) {
        ByteBuffer header = ByteBuffer.allocate(16 + block.length);
        header.put(SIGNATURE).put((byte) versionAndCommand).put((byte) family).putShort((short) length);
        return header.put(block).array();
    }

    /** A field, in hexadecimal digits. */
    static String field(int type, String hex) {
        return String.format("%02x%04x%s", type, hex.length() / 2, hex);
    }

    static String field(int type, byte[] value) {
        return field(type, HexFormat.of().formatHex(value));
    }

    static String textField(int type, String text) {
        return field(type, text.getBytes(StandardCharsets.UTF_8));
    }

    /** A header for TCP over IPv4 with these fields and a checksum that is off by {@code error}. */
    static byte[] checked(int error, String... fields) {
        byte[] header = header(PROXY, 0x11, TCP4, String.join("", fields), field(3, "00000000"));
        CRC32C sum = new CRC32C();
        sum.update(header);
        ByteArrayOutputStream result = new ByteArrayOutputStream();
        result.write(header, 0, header.length - 4);
        result.writeBytes(
                ByteBuffer.allocate(4).putInt((int) sum.getValue() + error).array());
        return result.toByteArray();
    }
}
