package io.millrace.standalone.archive;

import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.Operand;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.Syntax;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * {@code millrace archive}: starts the server once, on a site of its own, and lets its JVM write down which classes it
 * loaded. The start script names the file, and uses it as long as Java and the jars are the same.
 */
public final class ArchiveCommand implements Command {

    private static final Syntax SYNTAX = new Syntax(
            "archive",
            "Prepares the classes of the server for this Java, so that it starts in half the time. To be called"
                    + " again after a change of Java or of lib.",
            Operand.NONE,
            List.of());

    private static final double MEGA = 1e6;

    private final PrintWriter out;

    /** The writer is told what was made. */
    public ArchiveCommand(PrintWriter out) {
        this.out = out;
    }

    @Override
    public Syntax syntax() {
        return SYNTAX;
    }

    @Override
    public int run(Arguments arguments) throws OperatorException, InterruptedException {
        String name = System.getProperty("millrace.archive", "");
        String home = System.getProperty("millrace.home", "");
        if (name.isEmpty() || home.isEmpty()) {
            throw new OperatorException("only the script bin/millrace can make an archive");
        }
        Path archive = Path.of(name);
        try {
            make(Path.of(home), archive);
            out.printf(
                    Locale.ROOT,
                    "%s, %.0f MB: starts with Java %s use it%n",
                    archive,
                    Files.size(archive) / MEGA,
                    Runtime.version());
        } catch (IOException e) {
            throw new OperatorException("no archive could be made (" + e + ")");
        }
        return 0;
    }

    /** Starts that run meanwhile see the archive that was there, then the new one, never half of one. */
    private static void make(Path home, Path archive) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(archive.toAbsolutePath().getParent());
        Path work = Files.createTempDirectory("millrace-archive");
        Path unfinished = Files.createTempFile(directory, "unfinished", "");
        try {
            // the JVM says that it replaces a file, but nothing of one that is not there
            Files.delete(unfinished);
            new TrainingRun(home, TrainingSite.create(work), unfinished).run();
            Files.move(unfinished, archive, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            deletePredecessors(archive);
        } finally {
            Files.deleteIfExists(unfinished);
            delete(work);
        }
    }

    /** Of the same Java, which is what the name begins with, for jars that are no longer there. */
    private static void deletePredecessors(Path archive) throws IOException {
        String name = archive.getFileName().toString();
        String java = name.substring(0, name.lastIndexOf('-') + 1);
        try (Stream<Path> files = Files.list(archive.toAbsolutePath().getParent())) {
            for (Path file : files.toList()) {
                String other = file.getFileName().toString();
                if (other.startsWith(java) && !other.equals(name)) {
                    Files.delete(file);
                }
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
