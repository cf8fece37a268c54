package io.millrace.files;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;

/**
 * Hit rates of a cache of 16 MiB, for a hundred thousand files of 1 to 400 KiB with popularities of several skews. Prints a
 * table: {@code java -cp … io.millrace.files.HitRates}.
 */
public final class HitRates {

    private static final int FILES = 100_000;
    private static final int REQUESTS = 300_000;
    private static final int BYTES = 16 << 20;

    private final long[] sizes = new long[FILES];
    private final double[] upTo = new double[FILES];

    /** @param skew the popularity of a file is its rank to the power of {@code -skew} (Zipf) */
    private HitRates(double skew) {
        Random random = new Random(1);
        double sum = 0;
        for (int i = 0; i < FILES; i++) {
            sizes[i] = Math.min(400 << 10, (long) Math.exp(random.nextGaussian() * 1.5 + 9.5) + 1024);
            sum += 1 / Math.pow(i + 1, skew);
            upTo[i] = sum;
        }
    }

    public static void main(String[] arguments) throws IOException {
        System.out.println("| skew | ours | Caffeine |\n| --- | ---: | ---: |");
        for (double skew : new double[] {0.7, 0.8, 0.9, 1.0, 1.1}) {
            HitRates rates = new HitRates(skew);
            System.out.printf("| %.1f | %.1f %% | %.1f %% |%n", skew, rates.ours(), rates.caffeine());
        }
    }

    private int nextFile(Random random) {
        int at = Arrays.binarySearch(upTo, random.nextDouble() * upTo[FILES - 1]);
        return Math.min(FILES - 1, at < 0 ? -at - 1 : at);
    }

    private double ours() throws IOException {
        FileCache cache = new FileCache(CacheLimits.DEFAULTS.withBytes(BYTES, 512 << 10));
        Random random = new Random(2);
        int hits = 0;
        for (int i = 0; i < REQUESTS; i++) {
            int number = nextFile(random);
            CachedFile known = cache.fresh(MadeUpFile.key(number));
            CachedFile file = known == null ? cache.put(MadeUpFile.known(number, sizes[number])) : known;
            Content content = cache.held(file, file.forms().get(0));
            hits += content == null ? 0 : 1;
            Content held = content == null ? cache.open(file, file.forms().get(0), false) : content;
            if (held != null) {
                held.release();
            }
        }
        return 100.0 * hits / REQUESTS;
    }

    private double caffeine() {
        Cache<Integer, Integer> cache = Caffeine.newBuilder()
                .maximumWeight(BYTES)
                .weigher((Integer number, Integer size) -> size)
                .executor(Runnable::run)
                .build();
        Random random = new Random(2);
        int hits = 0;
        for (int i = 0; i < REQUESTS; i++) {
            int number = nextFile(random);
            if (cache.getIfPresent(number) != null) {
                hits++;
            } else {
                cache.put(number, (int) sizes[number]);
            }
        }
        return 100.0 * hits / REQUESTS;
    }
}
