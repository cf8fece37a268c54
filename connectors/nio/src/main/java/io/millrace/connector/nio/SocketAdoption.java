package io.millrace.connector.nio;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelectableChannel;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;

/**
 * Creates XNIO connections for sockets that were accepted outside of XNIO, on a given I/O thread. XNIO has no public API
 * for this, hence the method handles; docs/design/transports.md has the reasons against its own acceptor.
 */
final class SocketAdoption {

    private final MethodHandle register;
    private final MethodHandle connect;

    /** For I/O threads of this class, which XNIO's {@code nio} provider creates. */
    SocketAdoption(Class<? extends XnioIoThread> threads) {
        try {
            MethodHandles.Lookup inside = MethodHandles.privateLookupIn(threads, MethodHandles.lookup());
            Class<?> connection = inside.findClass(threads.getPackageName() + ".NioSocketStreamConnection");
            Class<?> closeHook = inside.findClass(threads.getPackageName() + ".ChannelClosed");
            register = inside.findVirtual(
                            threads,
                            "registerChannel",
                            MethodType.methodType(SelectionKey.class, AbstractSelectableChannel.class))
                    .asType(MethodType.methodType(SelectionKey.class, XnioIoThread.class, SocketChannel.class));
            MethodHandle constructor = inside.findConstructor(
                    connection, MethodType.methodType(void.class, threads, SelectionKey.class, closeHook));
            connect = MethodHandles.insertArguments(constructor, 2, (Object) null)
                    .asType(MethodType.methodType(StreamConnection.class, XnioIoThread.class, SelectionKey.class));
        } catch (ReflectiveOperationException different) {
            throw OtherXnio.found(different);
        }
    }

    /** To be called on the given thread: another one would wait for its selector. */
    StreamConnection adopt(SocketChannel socket, XnioIoThread thread) throws IOException {
        try {
            SelectionKey key = (SelectionKey) register.invokeExact(thread, socket);
            return (StreamConnection) connect.invokeExact(thread, key);
        } catch (IOException | RuntimeException | Error failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw new IOException(impossible);
        }
    }
}
