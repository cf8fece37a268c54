package io.millrace.servlet.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The files this process has open, on Linux. */
public final class OpenFiles {

    private OpenFiles() {}

    public static List<String> endingWith(String name) throws IOException {
        List<Path> descriptors;
        try (Stream<Path> list = Files.list(Path.of("/proc/self/fd"))) {
            descriptors = list.toList();
        }
        List<String> open = new ArrayList<>();
        for (Path descriptor : descriptors) {
            try {
                String target = Files.readSymbolicLink(descriptor).toString();
                if (target.endsWith(name)) {
                    open.add(target);
                }
            } catch (NoSuchFileException gone) {
                // Closed since it was listed, as the listing's own descriptor is.
            }
        }
        return open;
    }
}
