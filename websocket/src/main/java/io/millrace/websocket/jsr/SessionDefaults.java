package io.millrace.websocket.jsr;

import io.millrace.settings.Setting;
import io.millrace.websocket.WebSocketOptions;

/** The defaults of a container's new sessions. Thread-safe; changes do not affect open sessions. */
public final class SessionDefaults {

    private volatile WebSocketOptions options;
    private volatile long asyncSendTimeout = -1;

    /** These options, and no timeout for asynchronous sends. */
    public SessionDefaults(WebSocketOptions options) {
        this.options = options;
    }

    /** The current options. */
    public WebSocketOptions options() {
        return options;
    }

    <T> T get(Setting<T> setting) {
        return options.get(setting);
    }

    synchronized <T> void set(Setting<T> setting, T value) {
        options = options.with(setting, value);
    }

    /** In milliseconds; no timeout if not positive. */
    long asyncSendTimeout() {
        return asyncSendTimeout;
    }

    void asyncSendTimeout(long milliseconds) {
        asyncSendTimeout = milliseconds;
    }
}
