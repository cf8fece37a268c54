package io.millrace.servlet.deploy;

import io.millrace.servlet.deploy.loader.WebAppClassLoader;
import io.millrace.servlet.deploy.scan.ApplicationScan;
import io.millrace.servlet.deploy.scan.ClassFiles;
import io.millrace.servlet.deploy.scan.ClassesDirectory;
import io.millrace.servlet.deploy.scan.DeclaredEndpoints;
import io.millrace.servlet.deploy.scan.HandledTypes;
import io.millrace.servlet.deploy.scan.Initializers;
import io.millrace.servlet.deploy.scan.JakartaCheck;
import io.millrace.servlet.deploy.scan.Libraries;
import io.millrace.servlet.deploy.scan.LibraryJar;
import io.millrace.servlet.deploy.scan.ScanTarget;
import io.millrace.servlet.deploy.scan.ScannedPlace;
import io.millrace.servlet.deploy.scan.ServletClassAnnotations;
import io.millrace.servlet.deploy.scan.WebAnnotations;
import io.millrace.servlet.deploy.xml.Descriptor;
import io.millrace.servlet.deploy.xml.DescriptorMerge;
import io.millrace.servlet.deploy.xml.DescriptorReader;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.Initializer;
import io.millrace.servlet.model.WebAppModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads an unpacked application once: descriptors, class files, then initializers, which depend on both. */
final class ApplicationReading {

    private static final String WEB_XML = "WEB-INF/web.xml";

    /** Tomcat's own descriptor of an application: its web.xml overrides it, and it overrides the server's defaults. */
    private static final String TOMCAT_WEB_XML = "WEB-INF/tomcat-web.xml";

    private final Descriptor main;
    private final ClassesDirectory classes;
    /** The libraries that are scanned, in order. */
    private final List<LibraryJar> libraries;

    /** The names of the ordered libraries; null if no order is specified. */
    private final @Nullable List<String> ordered;

    private final Initializers initializers;
    private final ClassFiles files;
    private final ClassLoader loader;

    private final Path work;
    /** The descriptor of highest precedence first. */
    private final List<Descriptor> defaults = new ArrayList<>();

    /** WEB-INF/classes first, then the libraries in order. */
    private List<ScannedPlace> places = List.of();

    private int cached;
    private int scanned;
    private long scanNanos;

    /**
     * Reads an application.
     *
     * @param work the application's work directory, which is kept between starts
     */
    ApplicationReading(
            Path docBase,
            Libraries jars,
            WebAppClassLoader loader,
            ClassLoader parent,
            Path work,
            DeploymentOptions options)
            throws DeploymentException, IOException {
        this.main = descriptor(WEB_XML, docBase);
        if (Files.exists(docBase.resolve(TOMCAT_WEB_XML))) {
            this.defaults.add(descriptor(TOMCAT_WEB_XML, docBase));
        }
        this.defaults.addAll(options.defaults().read());
        this.classes = new ClassesDirectory(docBase.resolve("WEB-INF/classes"));
        List<LibraryJar> all = jars.ordered(main);
        this.ordered =
                jars.areOrdered(main) ? all.stream().map(LibraryJar::name).toList() : null;
        this.libraries = all.stream()
                .filter(library -> options.jars().pluggability().test(library.name()))
                .toList();
        this.files = new ClassFiles(loader);
        this.initializers = Initializers.find(parent, classes, all, files);
        this.loader = loader;
        this.work = work;
    }

    private static Descriptor descriptor(String name, Path docBase) throws DeploymentException, IOException {
        Path file = docBase.resolve(name);
        return Files.isRegularFile(file) ? DescriptorReader.read(name, Files.readAllBytes(file)) : new Descriptor(name);
    }

    /** The merged model of descriptors and annotations. */
    WebAppModel read() throws DeploymentException, IOException {
        JakartaCheck jakarta = new JakartaCheck(files);
        jakarta.classes(classes);
        places = scan();
        Descriptor merged = main.metadataComplete ? main : merge(places);
        defaults.forEach(weaker -> DescriptorMerge.defaults(merged, weaker));
        jakarta.components(merged);
        jakarta.libraries(libraries, places, !initializers.isEmpty());
        WebAppModel model = ModelBuilder.build(merged);
        model.orderedLibs = ordered;
        ServletClassAnnotations.apply(model, files);
        return model;
    }

    /** The initializers to call before the application starts; loads their classes. Call {@link #read} first. */
    List<Initializer> initializers() throws DeploymentException, IOException {
        return initializers.create(loader, new HandledTypes(places, loader, files));
    }

    /** The WebSocket endpoints, found without loading classes. Call {@link #read} first. */
    DeclaredEndpoints endpoints() throws IOException {
        return initializers.deploysEndpoints() ? DeclaredEndpoints.find(places, files) : DeclaredEndpoints.NONE;
    }

    /**
     * The name of a class that declares or chooses WebSocket endpoints, if no initializer deploys them; otherwise null. Call {@link
     * #read} first.
     */
    @Nullable
    String orphanedEndpoint() {
        return initializers.deploysEndpoints() ? null : DeclaredEndpoints.orphan(places);
    }

    /** WEB-INF/classes first, then the libraries in order; empty if neither annotations nor types are needed. */
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
            LibraryJar library = libraries.get(i);
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
}
