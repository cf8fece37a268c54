package io.millrace.servlet.deploy;

import io.millrace.servlet.deploy.xml.Descriptor;
import io.millrace.servlet.deploy.xml.DescriptorReader;
import io.millrace.servlet.model.DeploymentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Descriptors with defaults for all applications, such as Tomcat's conf/web.xml; an application's own descriptors override
 * them. A file is read when the first application is deployed, and again when its time or size has changed. Thread-safe.
 */
public final class DefaultDescriptors {

    /** No default descriptors: applications have the container's built-in defaults only. */
    public static final DefaultDescriptors NONE = new DefaultDescriptors(Map.of());

    /** The parsed descriptor of a file with this time and size. */
    private record Version(FileTime modified, long size, Descriptor descriptor) {}

    private final Map<String, Path> files;
    private final Map<Path, Version> known = new HashMap<>();

    private DefaultDescriptors(Map<String, Path> files) {
        this.files = files;
    }

    /**
     * Default descriptors from files. A file that does not exist is ignored.
     *
     * @param strongestFirst the files by the names that error messages use for them; an earlier file overrides a later one
     */
    public static DefaultDescriptors of(Map<String, Path> strongestFirst) {
        return new DefaultDescriptors(new LinkedHashMap<>(strongestFirst));
    }

    /**
     * Reads the files and reports the first error in them.
     *
     * @return one sentence for the operator; empty if there is no error
     */
    public List<String> defects() {
        try {
            read();
            return List.of();
        } catch (DeploymentException e) {
            return List.of(e.getMessage());
        }
    }

    /**
     * The descriptors, the strongest first. All applications share them: callers must not change them.
     *
     * @throws DeploymentException if a file exists but cannot be read or is invalid; no application may start without it
     */
    synchronized List<Descriptor> read() throws DeploymentException {
        List<Descriptor> descriptors = new ArrayList<>();
        for (Map.Entry<String, Path> file : files.entrySet()) {
            Descriptor descriptor = read(file.getKey(), file.getValue());
            if (descriptor != null) {
                descriptors.add(descriptor);
            }
        }
        return descriptors;
    }

    private @Nullable Descriptor read(String name, Path file) throws DeploymentException {
        if (Files.notExists(file)) {
            return null;
        }
        try {
            FileTime modified = Files.getLastModifiedTime(file);
            long size = Files.size(file);
            Version version = known.get(file);
            if (version == null || !version.modified.equals(modified) || version.size != size) {
                version = new Version(modified, size, DescriptorReader.read(name, Files.readAllBytes(file)));
                known.put(file, version);
            }
            return version.descriptor;
        } catch (IOException e) {
            throw new DeploymentException(name + " cannot be read (" + e + "); check the file's permissions", e);
        }
    }
}
