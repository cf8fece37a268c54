package io.millrace.connector.apr.binding;

import io.millrace.natives.LoadedOnce;
import java.io.IOException;

/**
 * The library: found, checked and initialized once in a process, and never given up. Its functions have been the same since
 * 1.4, and its structures; that they are is checked with a few calls whose results are known ({@link SelfCheck}).
 */
public final class Apr {

    private static final int MAJOR = 1;
    private static final int LEAST_MINOR = 5;

    private static final LoadedOnce LIBRARY = new LoadedOnce(Apr::checked);

    private Apr() {}

    /**
     * Loads the library if that has not been done.
     *
     * @return its version, such as {@code 1.7.2}
     * @throws IllegalStateException if it can't be used here, saying what to do; the same each time
     */
    public static String require() {
        return LIBRARY.require();
    }

    private static String checked() throws IOException {
        Layouts.check();
        String found = AprLibrary.version(MAJOR, LEAST_MINOR);
        AprLibrary.initialize();
        SelfCheck.run(found);
        return found;
    }

    /** Pools that exist now: one for each socket and pollset, and one that an acceptor keeps ready. */
    public static int livePools() {
        return Pools.live();
    }
}
