package io.millrace.standalone;

import io.millrace.standalone.log.StandaloneLog;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The first SIGTERM, SIGINT or SIGHUP stops the server gracefully; a further SIGTERM or SIGINT ends the process at once. A
 * further SIGHUP has no effect: closing a terminal often sends two, its own and the shell's. Shutdown hooks cannot detect a
 * second signal, so this class uses sun.misc.Signal: by reflection, because javac warns of it even if module jdk.unsupported is
 * required, and because a platform without it should not fail; there, a signal ends the process as it ends any Java process.
 */
final class Signals {

    /** A shell adds it to the number of the signal that ended a process. */
    private static final int SIGNALLED = 128;

    /** As long as the configuration permits. */
    static final Duration UNLIMITED = ChronoUnit.FOREVER.getDuration();

    private static final String HANGUP = "HUP";

    private static final AtomicBoolean STOPPING = new AtomicBoolean();

    private Signals() {}

    /** Runs the action on a thread of its own at the first signal. */
    static void onStop(Consumer<Duration> stop) {
        Runnable action = () -> stop.accept(UNLIMITED);
        for (String name : new String[] {"TERM", "INT", HANGUP}) {
            try {
                handle(name, action);
            } catch (InvocationTargetException e) {
                StandaloneLog.SERVER.noSignal("SIG" + name, String.valueOf(e.getCause()));
            } catch (ReflectiveOperationException e) {
                StandaloneLog.SERVER.noSignal("SIG" + name, e.toString());
            }
        }
    }

    /** A signal that the process was started to ignore, as with nohup, stays ignored by the JVM. */
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
        if (STOPPING.compareAndSet(false, true)) {
            new Thread(action, "millrace-stop").start();
        } else if (!name.equals(HANGUP)) {
            Runtime.getRuntime().halt(SIGNALLED + number);
        }
    }
}
