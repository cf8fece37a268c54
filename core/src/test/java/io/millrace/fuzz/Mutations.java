package io.millrace.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Feeds a fuzz target with its corpus and with the same few thousand mutations of it each time. */
public final class Mutations {

    private static final int PER_SEED = 400;
    private static final byte[] NASTY =
            "\r\n\t \u0000:;,%/.?*[]\u007f\u0080\u00ff0aZ\"\\-".getBytes(StandardCharsets.ISO_8859_1);

    private Mutations() {}

    /** With a corpus that lies beside its owner. */
    public static void run(Class<?> owner, String corpus, Consumer<byte[]> target) {
        Random random = new Random(9112);
        for (byte[] seed : corpus(owner, corpus)) {
            target.accept(seed);
            for (int i = 0; i < PER_SEED; i++) {
                target.accept(mutate(seed, random));
            }
        }
    }

    private static byte[] mutate(byte[] seed, Random random) {
        byte[] mutant = seed.clone();
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes && mutant.length > 0; i++) {
            mutant = change(mutant, random);
        }
        return mutant;
    }

    private static byte[] change(byte[] bytes, Random random) {
        int at = random.nextInt(bytes.length);
        byte nasty = NASTY[random.nextInt(NASTY.length)];
        return switch (random.nextInt(5)) {
            case 0 -> splice(bytes, at, at + 1, new byte[] {nasty});
            case 1 -> splice(bytes, at, at, new byte[] {nasty});
            case 2 -> splice(bytes, at, at + 1, new byte[] {(byte) (bytes[at] ^ 1 << random.nextInt(8))});
            case 3 -> splice(bytes, at, Math.min(bytes.length, at + 1 + random.nextInt(8)), new byte[0]);
            default -> splice(bytes, at, at, java.util.Arrays.copyOfRange(bytes, random.nextInt(at + 1), at));
        };
    }

    private static byte[] splice(byte[] bytes, int from, int to, byte[] middle) {
        byte[] result = new byte[from + middle.length + bytes.length - to];
        System.arraycopy(bytes, 0, result, 0, from);
        System.arraycopy(middle, 0, result, from, middle.length);
        System.arraycopy(bytes, to, result, from + middle.length, bytes.length - to);
        return result;
    }

    private static List<byte[]> corpus(Class<?> owner, String name) {
        URL folder = owner.getResource("corpus/" + name);
        if (folder == null) {
            throw new IllegalStateException("no corpus " + name);
        }
        try (Stream<Path> files = Files.list(Path.of(folder.toURI()))) {
            return files.sorted().map(Mutations::read).toList();
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException("corpus " + name, e);
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
