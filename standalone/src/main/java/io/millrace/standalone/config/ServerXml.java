package io.millrace.standalone.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a server.xml; what is wrong with it is collected, not thrown. */
public final class ServerXml {

    private static final Pattern ENCODING =
            Pattern.compile("^\\s*<\\?xml[^>]*encoding\\s*=\\s*[\"']([A-Za-z0-9._-]+)[\"']");
    private static final int DECLARATION_LIMIT = 200;

    private final Path base;
    private final Set<String> transports;
    private final Problems problems;

    /**
     * A reader for one file.
     *
     * @param base what relative paths in the file are relative to
     * @param transports names of those installed
     */
    public ServerXml(Path base, Set<String> transports, Problems problems) {
        this.base = base;
        this.transports = transports;
        this.problems = problems;
    }

    /**
     * The configuration, or null if there are errors.
     *
     * @throws IOException if the file cannot be read
     */
    public @Nullable ServerConfig read(Path file) throws IOException {
        return parse(text(file));
    }

    /** As {@link #read} does, from text. */
    public @Nullable ServerConfig parse(String text) {
        String baseName = base.toString();
        Placeholders placeholders = Placeholders.ofSystem(
                Map.of("millrace.base", baseName, "catalina.base", baseName, "catalina.home", baseName));
        XmlElement root = XmlReader.read(text, problems, placeholders);
        if (root == null) {
            return null;
        }
        if (!root.name().equals("Server")) {
            problems.error(root.line(), "the root element is '" + root.name() + "'; expected 'Server'");
            return null;
        }
        new Validator(problems).validate(root);
        ServerConfig config = new ConfigReader(root, base, transports, problems).server();
        return problems.hasErrors() ? null : config;
    }

    private static String text(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        String start = new String(bytes, 0, Math.min(bytes.length, DECLARATION_LIMIT), StandardCharsets.ISO_8859_1);
        Matcher declared = ENCODING.matcher(start);
        Charset charset = declared.find() ? named(declared.group(1)) : StandardCharsets.UTF_8;
        try {
            String text = charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new IOException("is not written in " + charset, e);
        }
    }

    private static Charset named(String name) throws IOException {
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException e) {
            throw new IOException("is written in '" + name + "', which this Java does not know", e);
        }
    }
}
