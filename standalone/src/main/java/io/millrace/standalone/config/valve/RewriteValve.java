package io.millrace.standalone.config.valve;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;

import io.millrace.rewrite.RewriteMap;
import io.millrace.rewrite.RewriteRules;
import io.millrace.rewrite.RewriteSyntaxException;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.config.xml.XmlElement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's RewriteValve, in Host and Context: its rules are in {@code conf/Catalina/<host>/rewrite.config}, or in an application's
 * WEB-INF. In an Engine Tomcat reads no rules for it.
 */
public final class RewriteValve extends ValveKind {

    private static final SettingGroup GROUP = new SettingGroup();

    /** Whether its rules are applied. */
    public static final Setting<Boolean> ENABLED = GROUP.add("enabled", BOOLEAN, true);

    /** The name of the file of rules. */
    public static final Setting<String> RESOURCE_PATH = GROUP.add("resourcePath", TEXT, "rewrite.config");

    RewriteValve() {
        super(VALVES + "rewrite.RewriteValve", Attribute.of(GROUP.settings()));
    }

    @Override
    public Set<String> places() {
        return Set.of("Host", "Context");
    }

    @Override
    void misplaced(String parent, XmlElement element, Problems problems) {
        problems.warning(
                element.line(),
                "RewriteValve in Engine has no rules, as in Tomcat, which reads them in Host and Context only; move it");
    }

    /**
     * Reads the rules of a host.
     *
     * @param file the one of its resourcePath; null if the host has no directory
     * @param classes loads the classes of RewriteMap lines
     * @return null without any, or if the Valve is switched off
     * @throws OperatorException if they cannot be read
     */
    public static @Nullable RewriteRules ofHost(Element valve, @Nullable Path file, ClassLoader classes)
            throws OperatorException {
        if (!valve.get(ENABLED) || file == null || Files.notExists(file)) {
            return null;
        }
        try {
            String text = Files.readString(file, StandardCharsets.UTF_8);
            return parse(text, file.toString(), file.resolveSibling(""), classes);
        } catch (IOException e) {
            throw new OperatorException(file + " cannot be read (" + e + ")");
        }
    }

    /**
     * Reads the rules of an application.
     *
     * @param docBase its WAR or directory
     * @param classes loads the classes of RewriteMap lines
     * @return null without any, or if the Valve is switched off
     * @throws OperatorException if they cannot be read
     */
    public static @Nullable RewriteRules ofContext(Element valve, Path docBase, ClassLoader classes)
            throws OperatorException {
        String name = "WEB-INF/" + valve.get(RESOURCE_PATH);
        if (!valve.get(ENABLED)) {
            return null;
        }
        try {
            byte[] text = inside(docBase, name);
            RewriteRules rules = text == null
                    ? null
                    : parse(new String(text, StandardCharsets.UTF_8), name, docBase.resolve("WEB-INF"), classes);
            if (rules != null && rules.changeHosts()) {
                throw new OperatorException(name + ": the flag H needs the rules of a Host; move the rule there");
            }
            return rules;
        } catch (IOException e) {
            throw new OperatorException(docBase + " " + name + " cannot be read (" + e + ")");
        }
    }

    /** The warning that an application has a Valve but no rules. */
    public static String withoutRules(Element valve) {
        return "the RewriteValve has no rules: there is no WEB-INF/" + valve.get(RESOURCE_PATH);
    }

    private static RewriteRules parse(String text, String name, Path directory, ClassLoader classes)
            throws OperatorException {
        try {
            return RewriteRules.parse(text, directory, (type, parameters) -> map(type, parameters, classes));
        } catch (RewriteSyntaxException e) {
            throw new OperatorException(name + ":" + e.line() + ": " + e.getMessage());
        }
    }

    /** Instantiates a class that implements Tomcat's interface or ours. */
    private static RewriteMap map(String className, @Nullable String parameters, ClassLoader classes) {
        try {
            Object made = Class.forName(className, true, classes)
                    .getDeclaredConstructor()
                    .newInstance();
            if (made instanceof org.apache.catalina.valves.rewrite.RewriteMap map) {
                if (parameters != null) {
                    map.setParameters(parameters);
                }
                return map::lookup;
            }
            if (made instanceof RewriteMap map) {
                return map;
            }
            throw new IllegalArgumentException("RewriteMap " + className + " implements neither"
                    + " org.apache.catalina.valves.rewrite.RewriteMap nor " + RewriteMap.class.getName());
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IllegalArgumentException(
                    "RewriteMap " + className + " cannot be instantiated (" + e
                            + "); put its jar into lib of the base directory",
                    e);
        }
    }

    /** The content of a file in a WAR or directory; null if there is none. */
    private static byte @Nullable [] inside(Path docBase, String name) throws IOException {
        if (Files.isDirectory(docBase)) {
            Path file = docBase.resolve(name);
            return Files.notExists(file, LinkOption.NOFOLLOW_LINKS) ? null : Files.readAllBytes(file);
        }
        try (ZipFile zip = new ZipFile(docBase.toFile())) {
            ZipEntry entry = zip.getEntry(name);
            if (entry == null) {
                return null;
            }
            try (InputStream in = zip.getInputStream(entry)) {
                return in.readAllBytes();
            }
        }
    }
}
