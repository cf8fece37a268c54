package io.millrace.standalone;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The first SIGTERM, SIGINT or SIGHUP stops the server gracefully; a further SIGTERM or SIGINT ends the process at once. A
 * further SIGHUP has no effect: a terminal that is closed often sends two, its own and the shell's. Shutdown hooks can't
 * tell a second signal, therefore sun.misc.Signal; by reflection, as javac warns of it even where module jdk.unsupported is
 * required, and since a platform without it need not fail: there the process ends as any Java process does.
 */
final class Signals {

    /** What a shell adds to the number of the signal that ended a process. */
    private static final int SIGNALLED = 128;

    private static final String HANGUP = "HUP";

    private static final AtomicBoolean ASKED = new AtomicBoolean();

    private Signals() {}

    /** Runs the action, in a thread of its own, when the process is asked to stop. */
    static void onStop(Runnable action) {
        for (String name : new String[] {"TERM", "INT", HANGUP}) {
            try {
                handle(name, action);
            } catch (InvocationTargetException e) {
                Messages.LOG.noSignal("SIG" + name, String.valueOf(e.getCause()));
            } catch (ReflectiveOperationException e) {
                Messages.LOG.noSignal("SIG" + name, e.toString());
            }
        }
    }

    /** One that the process was started to ignore, as nohup does with SIGHUP, stays ignored: the JVM sees to that. */
    private static void handle(String name, Runnable action) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object proxy = Proxy.newProxyInstance(
                Signals.class.getClassLoader(), new Class<?>[] {handler}, forward(signal, action));
        signal.getMethod("handle", signal, handler)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
    }

    private static InvocationHandler forward(Class<?> signal, Runnable action) {
        return (proxy, method, arguments) -> {
            if (!method.getName().equals("handle") || arguments == null) {
                return null;
            }
            String name = (String) signal.getMethod("getName").invoke(arguments[0]);
            received(name, (int) signal.getMethod("getNumber").invoke(arguments[0]), action);
            return null;
        };
    }

    private static void received(String name, int number, Runnable action) {
        if (ASKED.compareAndSet(false, true)) {
            new Thread(action, "millrace-stop").start();
        } else if (!name.equals(HANGUP)) {
            Runtime.getRuntime().halt(SIGNALLED + number);
        }
    }
}
