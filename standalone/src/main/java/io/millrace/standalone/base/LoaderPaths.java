package io.millrace.standalone.base;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The lists of {@code common.loader}, {@code server.loader} and {@code shared.loader}: jars, directories, and
 * {@code dir/*.jar}. Skips the jars of Tomcat 9 itself except for its connection pool, from which factories of others are derived, and those in the server's class path.
 */
final class LoaderPaths {

    private static final Pattern ENTRY = Pattern.compile("\"([^\"]*)\"|[^,\"]+");

    private static final String ALL_JARS = "*.jar";

    /** Names of the jars in Tomcat 9's lib. */
    private static final Pattern TOMCATS =
            Pattern.compile("(annotations-api|catalina(-ant|-ha|-ssi|-storeconfig|-tribes)?"
                    + "|ecj-[\\d.]+|el-api|jasper(-el)?|jaspic-api|jsp-api|servlet-api|websocket-api"
                    + "|tomcat-(api|coyote|coyote-ffm|dbcp|i18n-[\\w-]+|jni|juli|util|util-scan|websocket))\\.jar");

    private static final Set<Path> INSTALLED = Stream.of(
                    System.getProperty("java.class.path", "").split(File.pathSeparator))
            .filter(entry -> !entry.isEmpty())
            .map(entry -> real(Path.of(entry)))
            .collect(Collectors.toSet());

    private LoaderPaths() {}

    /** Splits at commas; a path in quotation marks may contain commas. */
    static List<String> split(String list) {
        List<String> entries = new ArrayList<>();
        Matcher entry = ENTRY.matcher(list);
        while (entry.find()) {
            String text = entry.group(1) != null ? entry.group(1) : entry.group();
            if (!text.isBlank()) {
                entries.add(text.strip());
            }
        }
        return entries;
    }

    /** Returns the jars and directories of an entry; paths are relative to the base directory. */
    static List<URL> find(Path base, String entry, Consumer<String> problem) {
        Path path = path(base, entry);
        if (path == null) {
            problem.accept(
                    entry
                            + " is ignored: it is not a file path, and classes are loaded from files only; copy them to lib of the base directory");
            return List.of();
        }
        boolean all = entry.endsWith(ALL_JARS);
        Path named = all ? directoryOf(path) : path;
        if (!Files.exists(named)) {
            if (!isDefault(base, named)) {
                problem.accept(named + " is ignored: there is no such file or directory");
            }
            return List.of();
        }
        if (!all) {
            return isInstalled(path) ? List.of() : List.of(url(path));
        }
        try (Stream<Path> files = Files.list(named)) {
            return files.filter(file -> file.toString().endsWith(".jar") && !isTomcats(file) && !isInstalled(file))
                    .sorted()
                    .map(LoaderPaths::url)
                    .toList();
        } catch (IOException e) {
            problem.accept(named + " cannot be read (" + e + ")");
            return List.of();
        }
    }

    /** Whether Tomcat's own catalina.properties names it; a base directory often has none. */
    private static boolean isDefault(Path base, Path named) {
        Path home = Path.of(System.getProperty("catalina.home", base.toString()));
        return named.equals(base.resolve("lib").normalize())
                || named.equals(home.resolve("lib").normalize());
    }

    static boolean isTomcats(Path jar) {
        return TOMCATS.matcher(String.valueOf(jar.getFileName())).matches();
    }

    private static Path directoryOf(Path pattern) {
        Path parent = pattern.getParent();
        return parent == null ? pattern : parent;
    }

    /** Null if it is not a local file. */
    private static @Nullable Path path(Path base, String entry) {
        if (entry.startsWith("file:")) {
            try {
                return Path.of(URI.create(entry));
            } catch (IllegalArgumentException e) {
                return null;
            }
        }
        return entry.contains("://") ? null : base.resolve(entry).normalize();
    }

    private static boolean isInstalled(Path file) {
        return INSTALLED.contains(real(file));
    }

    private static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException notThere) {
            return file.toAbsolutePath();
        }
    }

    private static URL url(Path file) {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException("the path " + file + " cannot be converted to a URL", e);
        }
    }
}
