package io.millrace.connector.apr.binding;

import io.millrace.natives.LoadedOnce;
import java.io.IOException;

/**
 * The library: located, checked and initialized once per process, and never unloaded. Its functions and structures have not
 * changed since 1.4, which a few calls with known results verify ({@link SelfCheck}).
 */
public final class Apr {

    private static final int MAJOR = 1;
    private static final int MIN_MINOR = 5;

    private static final LoadedOnce LIBRARY = new LoadedOnce(Apr::checked);

    private Apr() {}

    /**
     * Loads the library unless it is loaded already.
     *
     * @return its version, such as {@code 1.7.2}
     * @throws IllegalStateException if it cannot be used here, with instructions; the same in each call
     */
    public static String require() {
        return LIBRARY.require();
    }

    private static String checked() throws IOException {
        Layouts.check();
        String found = AprLibrary.version(MAJOR, MIN_MINOR);
        AprStatus.check("initialize APR", AprLibrary.initialize());
        SelfCheck.run(found);
        return found;
    }
}
