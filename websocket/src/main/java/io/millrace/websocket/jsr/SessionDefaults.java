package io.millrace.websocket.jsr;

import io.millrace.settings.Setting;
import io.millrace.websocket.WebSocketOptions;

/** How the sessions of a container begin. Any thread; sessions that are open keep what they have. */
public final class SessionDefaults {

    private volatile WebSocketOptions options;
    private volatile long asyncSendTimeout = -1;

    /** These, and no limit of time for asynchronous sends. */
    public SessionDefaults(WebSocketOptions options) {
        this.options = options;
    }

    /** As they are now. */
    public WebSocketOptions options() {
        return options;
    }

    <T> T get(Setting<T> setting) {
        return options.get(setting);
    }

    synchronized <T> void set(Setting<T> setting, T value) {
        options = options.with(setting, value);
    }

    /** Milliseconds; not positive for ever. */
    long asyncSendTimeout() {
        return asyncSendTimeout;
    }

    void asyncSendTimeout(long milliseconds) {
        asyncSendTimeout = milliseconds;
    }
}
