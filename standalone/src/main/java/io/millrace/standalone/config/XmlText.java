package io.millrace.standalone.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Decodes an XML file in the encoding of its declaration. */
final class XmlText {

    private static final Pattern ENCODING =
            Pattern.compile("^\\s*<\\?xml[^>]*encoding\\s*=\\s*[\"']([A-Za-z0-9._-]+)[\"']");
    private static final int DECLARATION_LIMIT = 200;

    private XmlText() {}

    static String of(byte[] bytes) throws IOException {
        String start = new String(bytes, 0, Math.min(bytes.length, DECLARATION_LIMIT), StandardCharsets.ISO_8859_1);
        Matcher declared = ENCODING.matcher(start);
        Charset charset = declared.find() ? named(declared.group(1)) : StandardCharsets.UTF_8;
        try {
            String text = charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new IOException("is not encoded in " + charset + "; correct the encoding in its XML declaration", e);
        }
    }

    private static Charset named(String name) throws IOException {
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException e) {
            throw new IOException("has the encoding '" + name + "', which this JVM does not support; use UTF-8", e);
        }
    }
}
