package io.millrace.standalone.config.xml;

import io.millrace.text.XmlText;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Expands the entities of a DOCTYPE, for a server.xml that is split over several files: {@code <!ENTITY hosts SYSTEM "hosts.xml">}.
 * Only files below the base directory are read, and no DTD. It expands text before the XML parser, which rejects a DOCTYPE; the
 * parser's line numbers are mapped back to files.
 */
public final class EntityReader {

    /** Of the expanded text: nested entities make a small file huge in memory (billion laughs). */
    private static final int MAX_CHARACTERS = 4 << 20;

    private static final int MAX_DEPTH = 8;

    private static final Pattern DOCTYPE =
            Pattern.compile("(?s)\\A(?:\\s++|<\\?.*?\\?>|<!--.*?-->)*+(<!DOCTYPE\\s+[\\w:.-]+\\s*)");

    /** An entity: its name, and its text or its file. */
    private static final Pattern ENTITY = Pattern.compile(
            "(?s)<!ENTITY\\s+([\\w:.-]+)\\s+(?:(SYSTEM)\\s+|PUBLIC\\s+(?:\"[^\"]*\"|'[^']*')\\s+)?(?:\"([^\"]*)\"|'([^']*)')\\s*>");

    private static final Pattern SPACE = Pattern.compile("(?s)(?:\\s++|<\\?.*?\\?>|<!--.*?-->)+");
    private static final Pattern END = Pattern.compile("]\\s*>");

    /** Comments, CDATA sections and processing instructions, in which references are not expanded. */
    private static final Pattern LITERAL = Pattern.compile("(?s)<!--.*?-->|<!\\[CDATA\\[.*?]]>|<\\?.*?\\?>");

    private static final Pattern REFERENCE = Pattern.compile("&([A-Za-z_:][\\w:.-]*);");
    private static final Pattern DECLARATION = Pattern.compile("(?s)\\A\\s*<\\?xml\\s.*?\\?>");

    /** @param file null for an internal entity */
    private record Entity(@Nullable String file, String text, boolean external) {}

    private final Path file;
    private final Path base;
    private final Problems problems;
    private final PlacedText out;
    private final Map<String, Entity> entities = new HashMap<>();

    private EntityReader(Path file, Path base, Problems problems) {
        this.file = file;
        this.base = base;
        this.problems = problems;
        this.out = new PlacedText(problems.file());
    }

    /**
     * Returns the text with its entities expanded and without a DOCTYPE. Registers with {@code problems} which line is from which file.
     *
     * @param file to whose directory the names of entities are relative
     * @return null after an error in {@code problems}
     */
    public static @Nullable String expand(String text, Path file, Path base, Problems problems) {
        Matcher doctype = DOCTYPE.matcher(text);
        if (!doctype.find()) {
            return text;
        }
        return new EntityReader(file, base, problems).expand(text, doctype.start(1), doctype.end());
    }

    private @Nullable String expand(String text, int start, int inside) {
        int end = declarations(text, inside);
        if (end < 0) {
            return null;
        }
        String blank = text.substring(start, end).replaceAll("[^\\n]", "");
        try {
            append(text.substring(0, start) + blank + text.substring(end), 0);
        } catch (IOException e) {
            problems.error(lineOf(text, start), String.valueOf(e.getMessage()));
            return null;
        }
        problems.mapLines(out);
        return out.text();
    }

    /** Reads the entity declarations; returns the end of the DOCTYPE, or -1 after an error. */
    private int declarations(String text, int inside) {
        if (text.startsWith(">", inside)) {
            return inside + 1;
        }
        if (!text.startsWith("[", inside)) {
            return refuse(
                    text,
                    inside,
                    "an external DTD is not supported; remove everything between the DOCTYPE's name and [");
        }
        int at = inside + 1;
        while (true) {
            Matcher next = SPACE.matcher(text).region(at, text.length());
            if (next.lookingAt()) {
                at = next.end();
            }
            next.usePattern(END).region(at, text.length());
            if (next.lookingAt()) {
                return next.end();
            }
            next.usePattern(ENTITY).region(at, text.length());
            if (!next.lookingAt()) {
                return refuse(
                        text,
                        at,
                        "expected <!ENTITY name SYSTEM \"file.xml\"> in the DOCTYPE; nothing else is supported there");
            }
            String value = next.group(3) != null ? next.group(3) : next.group(4);
            boolean external = next.group(2) != null || next.group().contains("PUBLIC");
            if (!declare(next.group(1), value, external, lineOf(text, at))) {
                return -1;
            }
            at = next.end();
        }
    }

    private int refuse(String text, int at, String why) {
        problems.error(lineOf(text, at), why);
        return -1;
    }

    private boolean declare(String name, String value, boolean external, int line) {
        if (!external) {
            entities.putIfAbsent(name, new Entity(null, value, false));
            return true;
        }
        try {
            Path found = local(value);
            String content =
                    DECLARATION.matcher(XmlText.of(Files.readAllBytes(found))).replaceFirst("");
            Path shown = found.startsWith(base) ? base.relativize(found) : found;
            entities.putIfAbsent(name, new Entity(shown.toString(), content, true));
            return true;
        } catch (IOException | IllegalArgumentException e) {
            problems.error(line, "the entity " + name + " is \"" + value + "\": " + reason(e));
            return false;
        }
    }

    private static String reason(Exception e) {
        return e instanceof java.nio.file.NoSuchFileException
                ? "there is no such file"
                : String.valueOf(e.getMessage());
    }

    private Path local(String address) throws IOException {
        boolean url = address.matches("[A-Za-z][A-Za-z0-9+.-]+:.*");
        if (url && !address.startsWith("file:")) {
            throw new IOException("URLs are not fetched; name a file below the base directory");
        }
        Path path = url ? Path.of(URI.create(address)) : file.toAbsolutePath().resolveSibling(address);
        if (!path.toRealPath().startsWith(base.toRealPath())) {
            throw new IOException("it is not below the base directory " + base + "; copy it there");
        }
        return path.normalize();
    }

    /** Copies text and expands the entities in it. */
    private void append(String text, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw new IOException("the entities are nested deeper than " + MAX_DEPTH);
        }
        Matcher literal = LITERAL.matcher(text);
        Matcher reference = REFERENCE.matcher(text);
        int at = 0;
        boolean more = reference.find();
        while (more) {
            if (literal.find(at) && literal.start() < reference.start()) {
                copy(text, at, literal.end());
                at = literal.end();
                more = at <= reference.start() || reference.find(at);
            } else {
                copy(text, at, reference.start());
                put(reference.group(), reference.group(1), isInTag(text, reference.start()), depth);
                at = reference.end();
                more = reference.find();
            }
        }
        copy(text, at, text.length());
    }

    private void put(String reference, String name, boolean inTag, int depth) throws IOException {
        Entity entity = entities.get(name);
        if (entity == null) {
            copy(reference, 0, reference.length()); // predefined by XML, or unknown: the parser reports it
        } else if (!entity.external) {
            append(inTag ? entity.text.replace("\"", "&quot;").replace("'", "&apos;") : entity.text, depth + 1);
        } else if (inTag) {
            throw new IOException("the entity " + name + " is a file and is used in an attribute, which XML forbids");
        } else {
            out.enter(String.valueOf(entity.file));
            append(entity.text, depth + 1);
            out.leave();
        }
    }

    private static boolean isInTag(String text, int at) {
        return text.lastIndexOf('<', at) > text.lastIndexOf('>', at);
    }

    private void copy(String text, int from, int to) throws IOException {
        out.append(text, from, to);
        if (out.length() > MAX_CHARACTERS) {
            throw new IOException("with its entities it is longer than " + MAX_CHARACTERS + " characters");
        }
    }

    private static int lineOf(String text, int at) {
        return 1 + (int) text.substring(0, at).chars().filter(c -> c == '\n').count();
    }
}
