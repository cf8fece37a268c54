package io.millrace.server;

import io.millrace.io.ListeningProcesses;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What to do about an address that cannot be listened on. On Linux it names the process that has the port. */
final class BindAdvice {

    private final ListeningProcesses processes;

    BindAdvice(ListeningProcesses processes) {
        this.processes = processes;
    }

    /** The system's message with what to do; the message alone if nothing is known. */
    static String explain(@Nullable String message, int port) {
        String text = String.valueOf(message);
        String known = text.toLowerCase(Locale.ROOT);
        if (known.contains("address already in use")) {
            return text + new BindAdvice(ListeningProcesses.here()).ofTaken(port);
        }
        if (known.contains("permission denied")) {
            return text
                    + "; ports below 1024 need root or the capability CAP_NET_BIND_SERVICE: choose another port, or grant it"
                    + " (systemd: AmbientCapabilities)";
        }
        if (known.contains("cannot assign requested address")) {
            return text + "; this machine has no such address: correct it, or listen on all addresses";
        }
        return text;
    }

    /** The advice for a port that is in use, from a space or a semicolon on. */
    String ofTaken(int port) {
        List<ListeningProcesses.Listener> listeners = processes.on(port);
        return listeners.isEmpty()
                ? "; choose another port, or stop the process that listens there (ss -ltnp shows it)"
                : " by process " + listeners.get(0).pid() + " ("
                        + listeners.get(0).name() + "); choose another port, or stop that process";
    }
}
