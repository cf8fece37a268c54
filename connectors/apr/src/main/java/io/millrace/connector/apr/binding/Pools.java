package io.millrace.connector.apr.binding;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.millrace.natives.NativeObjects;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * apr_pool_t: memory that is freed all at once. The pools created here are children of APR's global pool, which any thread
 * may create and destroy; a pool itself may be used by one thread at a time.
 */
final class Pools {

    private static final MethodHandle CREATE =
            AprLibrary.function("apr_pool_create_ex", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle DESTROY = AprLibrary.procedure("apr_pool_destroy", JAVA_LONG);

    private Pools() {}

    static long create() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            int status;
            try {
                status = (int) CREATE.invokeExact(out.address(), 0L, 0L, 0L);
            } catch (Throwable thrown) {
                throw AprLibrary.unexpected(thrown);
            }
            AprStatus.check("create a pool", status);
            NativeObjects.created();
            return out.get(JAVA_LONG, 0);
        }
    }

    static void destroy(long pool) {
        NativeObjects.destroyed();
        try {
            DESTROY.invokeExact(pool);
        } catch (Throwable thrown) {
            throw AprLibrary.unexpected(thrown);
        }
    }
}
