package io.millrace.standalone.archive;

import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.Operand;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.Syntax;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * {@code millrace archive}: creates an AOT cache, or a CDS archive on older Javas, by starting the server once on a training
 * site. The start script names the file, and uses it as long as Java and the jars are the same.
 */
public final class ArchiveCommand implements Command {

    private static final Syntax SYNTAX = new Syntax(
            "archive",
            "Creates a class archive for this Java, with which the server starts in half the time. The first start of"
                    + " a server does so too, in the background.",
            Operand.NONE,
            List.of());

    /** Part of the message of a command that ends because another process creates the archive. */
    public static final String BEING_CREATED = "is being created by another process";

    private static final double MEGA = 1e6;

    private static final Set<StandardOpenOption> LOCK_OPTIONS =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);

    private static final String UNFINISHED = "unfinished";

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
    private static void make(Path home, Path archive) throws IOException, InterruptedException, OperatorException {
        Path directory = Files.createDirectories(archive.toAbsolutePath().getParent());
        try (FileChannel channel = FileChannel.open(directory.resolve(".lock"), LOCK_OPTIONS);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                throw new OperatorException(archive + " " + BEING_CREATED);
            }
            delete(leftOver(directory));
            write(home, archive, directory);
            deletePredecessors(archive);
        }
    }

    private static void write(Path home, Path archive, Path directory) throws IOException, InterruptedException {
        Path work = Files.createTempDirectory("millrace-archive");
        Path unfinished = Files.createTempFile(directory, UNFINISHED, "");
        try {
            // the JVM prints a message if it replaces a file
            Files.delete(unfinished);
            new TrainingRun(home, TrainingSite.create(work), unfinished).run();
            Files.move(unfinished, archive, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
            deleteTree(work);
        }
    }

    /** Files of processes that were killed. */
    private static List<Path> leftOver(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith(UNFINISHED))
                    .toList();
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

    private static void deleteTree(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            delete(files.sorted(Comparator.reverseOrder()).toList());
        }
    }

    private static void delete(List<Path> files) throws IOException {
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }
}
