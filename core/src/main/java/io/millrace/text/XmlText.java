package io.millrace.text;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decodes an XML file in the encoding of its declaration, which may be a name that only Java knows, such as cp1252: Tomcat's parser
 * accepts those too, and the tomcat-users.xml of Tomcat 5.5 to 8.0 has one.
 */
public final class XmlText {

    private static final Pattern ENCODING =
            Pattern.compile("^\\s*<\\?xml[^>]*encoding\\s*=\\s*[\"']([A-Za-z0-9._-]+)[\"']");
    /** After the XML declaration, comments and processing instructions only. */
    private static final Pattern DOCTYPE = Pattern.compile(
            "(?s)\\A(?:\\s++|<\\?.*?\\?>|<!--.*?-->)*+(<!DOCTYPE\\s(?:[^\\[>\"']|\"[^\"]*\"|'[^']*')*+>)");

    private static final int DECLARATION_LIMIT = 200;

    private XmlText() {}

    /**
     * The text, without a byte order mark.
     *
     * @throws IOException if the encoding is unknown or the bytes are not in it; the message follows the name of a file
     */
    public static String of(byte[] bytes) throws IOException {
        String start = new String(bytes, 0, Math.min(bytes.length, DECLARATION_LIMIT), StandardCharsets.ISO_8859_1);
        Charset charset = charset(start);
        try {
            String text = charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new IOException("is not encoded in " + charset + "; correct the encoding in its XML declaration", e);
        }
    }

    /**
     * The text with blanks instead of a DOCTYPE that only refers to a DTD, which is not read. One with declarations stays: they may
     * define what the text needs.
     */
    public static String withoutDoctype(String text) {
        Matcher doctype = DOCTYPE.matcher(text);
        if (!doctype.find()) {
            return text;
        }
        String blanks = doctype.group(1).replaceAll("[^\\n\\r]", " ");
        return text.substring(0, doctype.start(1)) + blanks + text.substring(doctype.end(1));
    }

    /** UTF-16 is recognized by its first bytes (XML 1.0, appendix F.1), as no declaration can be read before. */
    private static Charset charset(String start) throws IOException {
        if (start.startsWith("\u00fe\u00ff") || start.startsWith("\u00ff\u00fe")) {
            return StandardCharsets.UTF_16;
        }
        if (start.startsWith("\0<")) {
            return StandardCharsets.UTF_16BE;
        }
        if (start.startsWith("<\0")) {
            return StandardCharsets.UTF_16LE;
        }
        Matcher declared = ENCODING.matcher(start.startsWith("\u00ef\u00bb\u00bf") ? start.substring(3) : start);
        return declared.find() ? named(declared.group(1)) : StandardCharsets.UTF_8;
    }

    private static Charset named(String name) throws IOException {
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException e) {
            throw new IOException("has the encoding '" + name + "', which this JVM does not support; use UTF-8", e);
        }
    }
}
