package io.millrace.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles the small classes that tests put into WARs. */
public final class Sources {

    private static final Pattern NAME =
            Pattern.compile("package ([\\w.]+);.*?(?:class|interface) (\\w+)", Pattern.DOTALL);

    private Sources() {}

    /** Compiles all together; returns the class files by path. */
    public static Map<String, byte[]> compile(String... sources) {
        try {
            Path out = Files.createTempDirectory("compiled");
            try {
                List<JavaFileObject> units = new ArrayList<>();
                for (String source : sources) {
                    units.add(unit(source));
                }
                JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
                List<String> options = List.of("-proc:none", "--release", "17", "-d", out.toString());
                if (!compiler.getTask(null, null, null, options, null, units).call()) {
                    throw new AssertionError("the test's sources do not compile");
                }
                return read(out);
            } finally {
                delete(out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those below a path only. */
    public static Map<String, byte[]> only(String prefix, Map<String, byte[]> classFiles) {
        Map<String, byte[]> some = new LinkedHashMap<>(classFiles);
        some.keySet().removeIf(path -> !path.startsWith(prefix));
        return some;
    }

    private static JavaFileObject unit(String source) {
        Matcher matcher = NAME.matcher(source);
        if (!matcher.find()) {
            throw new IllegalArgumentException(source);
        }
        String path = matcher.group(1).replace('.', '/') + '/' + matcher.group(2) + ".java";
        return new SimpleJavaFileObject(URI.create("string:///" + path), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
    }

    private static Map<String, byte[]> read(Path out) throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        try (Stream<Path> walk = Files.walk(out)) {
            for (Path file : walk.filter(Files::isRegularFile).sorted().toList()) {
                files.put(out.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return files;
    }

    private static void delete(Path out) throws IOException {
        try (Stream<Path> walk = Files.walk(out)) {
            for (Path file : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
