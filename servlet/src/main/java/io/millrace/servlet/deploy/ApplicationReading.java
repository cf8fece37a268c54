package io.millrace.servlet.deploy;

import io.millrace.servlet.model.WebAppModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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

    private final Path work;

    private int cached;
    private int scanned;
    private long scanNanos;

    /** @param work where the application's own files are kept between starts */
    ApplicationReading(Path docBase, Libraries jars, WebAppClassLoader loader, ClassLoader parent, Path work)
            throws DeploymentException, IOException {
        this.main = webXml(docBase);
        this.classes = new ClassesDirectory(docBase.resolve("WEB-INF/classes"));
        this.libraries = jars.ordered(main);
        this.files = new ClassFiles(loader);
        this.initializers = Initializers.find(parent, classes, libraries, files);
        this.loader = loader;
        this.work = work;
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
        List<ScannedPlace> places = scan();
        Descriptor merged = main.metadataComplete ? main : merge(places);
        jakarta.components(merged);
        jakarta.libraries(libraries, places, !initializers.isEmpty());
        WebAppModel model = ModelBuilder.build(merged);
        ServletClassAnnotations.apply(model, files);
        return new Result(model, initializers.create(loader, new HandledTypes(places, loader, files)));
    }

    /** WEB-INF/classes first, then the libraries in order; empty if neither annotations nor types matter. */
    private List<ScannedPlace> scan() throws IOException {
        ScanTarget target = new ScanTarget(initializers.types());
        if (main.metadataComplete && !target.headers()) {
            return List.of();
        }
        long start = System.nanoTime();
        ApplicationScan.Result scan = ApplicationScan.scan(classes, libraries, target, work);
        cached = scan.cached();
        scanned = libraries.size() - cached;
        scanNanos = System.nanoTime() - start;
        return scan.places();
    }

    private Descriptor merge(List<ScannedPlace> places) throws DeploymentException {
        DescriptorMerge.underlay(
                main, WebAnnotations.read(classes.source(), places.get(0).index()));
        DescriptorMerge merge = new DescriptorMerge(main);
        for (int i = 0; i < libraries.size(); i++) {
            Library library = libraries.get(i);
            Descriptor fragment = library.fragment();
            if (!fragment.metadataComplete) {
                DescriptorMerge.underlay(
                        fragment,
                        WebAnnotations.read(library.source(), places.get(i + 1).index()));
            }
            merge.add(fragment);
        }
        return merge.finish();
    }

    int cached() {
        return cached;
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
