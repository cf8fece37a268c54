package io.millrace.servlet.deploy.xml;

import io.millrace.servlet.model.DeploymentException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One element of a descriptor: local name, text, children and position. */
final class DescriptorElement {

    private final String source;
    private final String name;
    private final String namespace;
    private final Map<String, String> attributes;
    private final int line;
    private final int column;
    private final List<DescriptorElement> children = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    DescriptorElement(
            String source, String name, String namespace, Map<String, String> attributes, int line, int column) {
        this.source = source;
        this.name = name;
        this.namespace = namespace;
        this.attributes = attributes;
        this.line = line;
        this.column = column;
    }

    void add(DescriptorElement child) {
        children.add(child);
    }

    void addText(String part) {
        text.append(part);
    }

    void replaceText(UnaryOperator<String> replacement) {
        if (text.indexOf("$") >= 0) {
            String replaced = replacement.apply(text.toString());
            text.setLength(0);
            text.append(replaced);
        }
    }

    String name() {
        return name;
    }

    String namespace() {
        return namespace;
    }

    @Nullable
    String attribute(String attribute) {
        return attributes.get(attribute);
    }

    /** The text without surrounding whitespace. */
    String text() {
        return text.toString().strip();
    }

    List<DescriptorElement> children() {
        return children;
    }

    List<DescriptorElement> children(String childName) {
        return children.stream().filter(child -> child.name.equals(childName)).toList();
    }

    @Nullable
    DescriptorElement child(String childName) {
        for (DescriptorElement child : children) {
            if (child.name.equals(childName)) {
                return child;
            }
        }
        return null;
    }

    boolean has(String childName) {
        return child(childName) != null;
    }

    /** The text of a child; null if there is none or it is empty. */
    @Nullable
    String childText(String childName) {
        DescriptorElement child = child(childName);
        return child == null || child.text().isEmpty() ? null : child.text();
    }

    /** The texts of all children with a name. */
    List<String> childTexts(String childName) {
        return children(childName).stream().map(DescriptorElement::text).toList();
    }

    /** The text of a required child. */
    String required(String childName) throws DeploymentException {
        String found = childText(childName);
        if (found == null) {
            throw error("<" + name + "> needs a <" + childName + "> with text");
        }
        return found;
    }

    /** The text as an integer of 64 bits. */
    long number() throws DeploymentException {
        try {
            return Long.parseLong(text());
        } catch (NumberFormatException e) {
            throw error("<" + name + "> must be a whole number, not \"" + text() + "\"");
        }
    }

    /** The text as an integer of 32 bits. */
    int integer() throws DeploymentException {
        long number = number();
        if (number != (int) number) {
            throw error("<" + name + "> is too large: " + number);
        }
        return (int) number;
    }

    /** The text as a boolean; true if it is empty, as in {@code <distributable/>}. */
    boolean flag() throws DeploymentException {
        return switch (text().toLowerCase(Locale.ROOT)) {
            case "", "true", "1", "yes" -> true;
            case "false", "0", "no" -> false;
            default -> throw error("<" + name + "> must be true or false, not \"" + text() + "\"");
        };
    }

    /** An exception whose message begins with the file, the line and the column of this element. */
    DeploymentException error(String problem) {
        return new DeploymentException(where() + ": " + problem);
    }

    /** File, line and column. */
    String where() {
        return source + ", line " + line + ", column " + column;
    }

    @Override
    public String toString() {
        return "<" + name + "> at " + where();
    }
}
