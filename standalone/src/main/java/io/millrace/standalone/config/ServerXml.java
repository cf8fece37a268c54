package io.millrace.standalone.config;

import io.millrace.text.Placeholders;
import io.millrace.text.XmlText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a server.xml; problems are collected, not thrown. */
public final class ServerXml {

    private final Path base;
    private final Set<String> transports;
    private final Problems problems;

    /**
     * A reader for one file.
     *
     * @param base the directory to which relative paths in the file are relative
     * @param transports the names of the installed ones
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
        String text =
                EntityReader.expand(XmlText.withoutDoctype(XmlText.of(Files.readAllBytes(file))), file, base, problems);
        return text == null ? null : parse(text);
    }

    /** As {@link #read} does, from text. */
    public @Nullable ServerConfig parse(String text) {
        Placeholders placeholders = Placeholders.ofBase(base);
        ConfigElement root = XmlReader.read(text, problems, placeholders);
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
}
