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
 * {@code millrace archive}: creates an AOT cache, or a CDS archive on older Javas, by starting the server once on a training
 * site. The start script names the file, and uses it as long as Java and the jars are the same.
 */
public final class ArchiveCommand implements Command {

    private static final Syntax SYNTAX = new Syntax(
            "archive",
            "Creates a class archive for this Java, with which the server starts in half the time. Run it"
                    + " again after a change of Java or of lib.",
            Operand.NONE,
            List.of());

    private static final double MEGA = 1e6;

    private final PrintWriter out;

    /** @param out receives a line about the archive */
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
            throw new OperatorException("an archive can only be created by the script bin/millrace");
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
            throw new OperatorException("cannot create the archive (" + e + ")");
        }
        return 0;
    }

    /** Replaces the archive atomically: servers that start meanwhile use the old one or the new one. */
    private static void make(Path home, Path archive) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(archive.toAbsolutePath().getParent());
        Path work = Files.createTempDirectory("millrace-archive");
        Path unfinished = Files.createTempFile(directory, "unfinished", "");
        try {
            // the JVM prints a message if it replaces a file
            Files.delete(unfinished);
            new TrainingRun(home, TrainingSite.create(work), unfinished).run();
            Files.move(unfinished, archive, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            deletePredecessors(archive);
        } finally {
            Files.deleteIfExists(unfinished);
            delete(work);
        }
    }

    /** Deletes archives of the same Java (the prefix of the name) for earlier jars. */
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
