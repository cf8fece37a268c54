package io.millrace.connector.nio;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;

/**
 * The accept thread of an XNIO worker. XNIO does not expose it, hence the method handle; but it always starts it, so
 * accepting on it saves a thread.
 */
final class AcceptThread {

    private AcceptThread() {}

    /** Returns the accept thread of a worker of XNIO's {@code nio} provider. */
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
