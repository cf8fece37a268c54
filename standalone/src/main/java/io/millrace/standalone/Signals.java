package io.millrace.standalone;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The first SIGTERM or SIGINT stops in peace, the second at once. Shutdown hooks can't tell a second signal, therefore
 * sun.misc.Signal; by reflection, as javac warns of it even where module jdk.unsupported is required, and since a platform
 * without it need not fail: there the process ends as any Java process does.
 */
final class Signals {

    /** What a shell adds to the number of the signal that ended a process. */
    private static final int SIGNALLED = 128;

    private static final AtomicBoolean ASKED = new AtomicBoolean();

    private Signals() {}

    /** Runs the action, in a thread of its own, when the process is asked to stop. */
    static void onStop(Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handler}, forward(signal, action));
            for (String name : new String[] {"TERM", "INT"}) {
                signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
            }
        } catch (ReflectiveOperationException e) {
            Messages.LOG.noSignals(e.toString());
        }
    }

    private static InvocationHandler forward(Class<?> signal, Runnable action) {
        return (proxy, method, arguments) -> {
            if (!method.getName().equals("handle") || arguments == null) {
                return null;
            }
            received((int) signal.getMethod("getNumber").invoke(arguments[0]), action);
            return null;
        };
    }

    private static void received(int number, Runnable action) {
        if (ASKED.compareAndSet(false, true)) {
            new Thread(action, "millrace-stop").start();
        } else {
            Runtime.getRuntime().halt(SIGNALLED + number);
        }
    }
}
