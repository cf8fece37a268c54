package io.millrace.servlet.deploy;

import io.millrace.servlet.model.WebAppModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jboss.jandex.Index;

/** One reading of an unpacked application: descriptors, class files, initializers, in the order they depend on each other. */
final class ApplicationReading {

    private static final String WEB_XML = "WEB-INF/web.xml";

    private final Descriptor main;
    private final ClassesDirectory classes;
    /** Those that take part, in order. */
    private final List<Library> libraries;

    private final Initializers initializers;
    private final ClassFiles files;
    private final ClassLoader loader;

    private int scanned;
    private long scanNanos;

    ApplicationReading(Path docBase, Libraries jars, WebAppClassLoader loader, ClassLoader parent)
            throws DeploymentException, IOException {
        this.main = webXml(docBase);
        this.classes = new ClassesDirectory(docBase.resolve("WEB-INF/classes"));
        this.libraries = jars.ordered(main);
        this.files = new ClassFiles(loader);
        this.initializers = Initializers.find(parent, classes, libraries, files);
        this.loader = loader;
    }

    private static Descriptor webXml(Path docBase) throws DeploymentException, IOException {
        Path file = docBase.resolve(WEB_XML);
        return Files.isRegularFile(file)
                ? DescriptorReader.read(WEB_XML, Files.readAllBytes(file))
                : new Descriptor(WEB_XML);
    }

    /** The model, and what is to be called before the application starts. */
    Result read() throws DeploymentException, IOException {
        JakartaCheck jakarta = new JakartaCheck(files);
        jakarta.classes(classes);
        List<Index> indexes = scan();
        Descriptor merged = main.metadataComplete ? main : merge(indexes);
        jakarta.components(merged);
        jakarta.libraries(libraries, indexes, !initializers.isEmpty());
        WebAppModel model = ModelBuilder.build(merged);
        ServletClassAnnotations.apply(model, files);
        List<Index> asked = initializers.askForTypes() ? indexes : List.of();
        return new Result(model, initializers.create(loader, HandledTypes.of(asked, loader, files)));
    }

    /** WEB-INF/classes first, then the libraries in order; empty if neither annotations nor types matter. */
    private List<Index> scan() throws IOException {
        if (main.metadataComplete && !initializers.askForTypes()) {
            return List.of();
        }
        long start = System.nanoTime();
        List<ClassSource> places = new ArrayList<>();
        places.add(classes);
        places.addAll(libraries);
        List<Index> indexes = ParallelScan.scan(places, initializers.askForTypes());
        scanned = libraries.size();
        scanNanos = System.nanoTime() - start;
        return indexes;
    }

    private Descriptor merge(List<Index> indexes) throws DeploymentException {
        DescriptorMerge.underlay(main, WebAnnotations.read(classes.source(), indexes.get(0)));
        DescriptorMerge merge = new DescriptorMerge(main);
        for (int i = 0; i < libraries.size(); i++) {
            Library library = libraries.get(i);
            Descriptor fragment = library.fragment();
            if (!fragment.metadataComplete) {
                DescriptorMerge.underlay(fragment, WebAnnotations.read(library.source(), indexes.get(i + 1)));
            }
            merge.add(fragment);
        }
        return merge.finish();
    }

    int scanned() {
        return scanned;
    }

    long scanNanos() {
        return scanNanos;
    }

    /** What was read. */
    record Result(WebAppModel model, List<Initializer> initializers) {}
}
