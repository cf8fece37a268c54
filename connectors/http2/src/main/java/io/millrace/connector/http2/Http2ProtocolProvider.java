package io.millrace.connector.http2;

import static io.millrace.settings.SettingType.FLAG;
import static io.millrace.settings.SettingType.MILLISECONDS;
import static io.millrace.settings.SettingType.number;
import static io.millrace.settings.SettingType.numberOrNoLimit;

import io.millrace.http1.Http1Options;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.protocol.ProtocolProvider;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Offers HTTP/2 to server.xml. */
public final class Http2ProtocolProvider implements ProtocolProvider {

    private static final SettingGroup GROUP = new SettingGroup();

    private static final Setting<Integer> MAX_CONCURRENT_STREAMS =
            GROUP.add("maxConcurrentStreams", numberOrNoLimit(1), 100);

    private static final Setting<Integer> INITIAL_WINDOW_SIZE =
            GROUP.add("initialWindowSize", number(0, Integer.MAX_VALUE), MuxOptions.USUAL_WINDOW);

    private static final Setting<Duration> STREAM_READ_TIMEOUT =
            GROUP.add("streamReadTimeout", MILLISECONDS, Duration.ofSeconds(20));

    private static final Setting<Duration> STREAM_WRITE_TIMEOUT =
            GROUP.add("streamWriteTimeout", MILLISECONDS, Duration.ofSeconds(20));

    private static final Setting<Integer> MAX_TRAILER_COUNT = GROUP.add("maxTrailerCount", numberOrNoLimit(1), 100);

    private static final Setting<Boolean> ALLOW_SCHEME_MISMATCH = GROUP.add("allowSchemeMismatch", FLAG, false);

    /** For the service loader. */
    public Http2ProtocolProvider() {}

    @Override
    public String name() {
        return "http2";
    }

    @Override
    public List<Setting<?>> settings() {
        return GROUP.settings();
    }

    @Override
    public Protocol create(String scheme, Settings settings) {
        String server = settings.get(Http1Options.SERVER);
        Http2OptionsBuilder options = Http2Options.builder()
                .streams(streams(settings))
                .maxHeaderSize(settings.get(Http1Options.MAX_REQUEST_HEADER_SIZE))
                .maxHeaderCount(settings.get(ProtocolOptions.MAX_HEADER_COUNT))
                .maxTrailerSize(Math.max(1, settings.get(Http1Options.MAX_TRAILER_SIZE)))
                .maxTrailerCount(unlimited(settings.get(MAX_TRAILER_COUNT)))
                .relaxedPathChars(settings.get(Http1Options.RELAXED_PATH_CHARS))
                .relaxedQueryChars(settings.get(Http1Options.RELAXED_QUERY_CHARS))
                .allowHostHeaderMismatch(settings.get(Http1Options.ALLOW_HOST_HEADER_MISMATCH))
                .allowSchemeMismatch(settings.get(ALLOW_SCHEME_MISMATCH))
                .encodedSolidusHandling(settings.get(ProtocolOptions.ENCODED_SOLIDUS_HANDLING))
                .pathCharset(settings.get(ProtocolOptions.URI_ENCODING))
                .server(server.isEmpty() ? null : server);
        Set<String> trailers = settings.get(Http1Options.ALLOWED_TRAILER_HEADERS);
        if (!trailers.equals(Http1Options.ALLOWED_TRAILER_HEADERS.byDefault())) { // which is all of them
            options.allowedTrailerHeaders(trailers);
        }
        return new Http2Protocol(options.build(), scheme);
    }

    private static MuxOptions streams(Settings settings) {
        MuxOptions usual = MuxOptions.DEFAULTS;
        return usual.withMaxConcurrentStreams(unlimited(settings.get(MAX_CONCURRENT_STREAMS)))
                .withWindows(settings.get(INITIAL_WINDOW_SIZE), usual.streamWindow(), usual.connectionWindow())
                .withMaxResponseHeaderSize(settings.get(Http1Options.MAX_RESPONSE_HEADER_SIZE))
                .withTimeouts(
                        settings.get(ProtocolOptions.CONNECTION_TIMEOUT), ProtocolOptions.keepAliveTimeout(settings))
                .withStreamTimeouts(settings.get(STREAM_READ_TIMEOUT), settings.get(STREAM_WRITE_TIMEOUT))
                .withHalfClose(settings.get(Http1Options.ALLOW_HALF_CLOSE));
    }

    private static int unlimited(int value) {
        return value < 0 ? Integer.MAX_VALUE : value;
    }
}
