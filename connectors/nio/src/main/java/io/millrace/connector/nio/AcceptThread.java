package io.millrace.connector.nio;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;

/**
 * The thread that each worker of XNIO's has for accepting. XNIO keeps it to itself, hence the method handle; and it always
 * starts it, so we accept on it rather than on one more.
 */
final class AcceptThread {

    private AcceptThread() {}

    /** That of a worker of the {@code nio} provider. */
    static XnioIoThread of(XnioWorker worker) {
        try {
            Class<? extends XnioWorker> type = worker.getClass();
            Class<?> thread = worker.getIoThread(0).getClass();
            MethodHandle getter = MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                    .findVirtual(type, "getAcceptThread", MethodType.methodType(thread));
            return (XnioIoThread) getter.invoke(worker);
        } catch (ReflectiveOperationException different) {
            throw OtherXnio.found(different);
        } catch (RuntimeException | Error failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
