package io.millrace.exchange;

import io.millrace.http.RequestHead;
import io.millrace.io.Channel;
import io.millrace.io.ReachedLimits.Limit;
import io.millrace.io.Timers;
import io.millrace.io.Turns;
import io.millrace.log.CoreLog;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.RefusedRequest;
import io.millrace.workers.AddressShares;
import io.millrace.workers.Workers;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Creates an exchange for every request and calls the root handler with it.
 *
 * <p><b>Threads.</b> A {@link NonBlockingHandler} runs on the thread that read the request. A plain handler runs there
 * too if that thread may block or is a worker; otherwise it is dispatched to a worker, once. A handler that another one
 * dispatches to runs next on the same thread if that is suitable, after the first one has returned. A handler that
 * continues a suspended exchange always runs on an executor, so that the thread that resumes it, possibly holding locks,
 * runs none of it.
 */
public final class ExchangeDispatcher implements Dispatcher {

    private final HttpHandler root;
    private final ExchangeContext context;
    private final @Nullable AddressShares addresses;
    private final int maxPerAddress;

    /**
     * A dispatcher whose exchanges have no initial attributes.
     *
     * @param root the handler of all requests
     * @param workers run handlers that may block
     * @param timers for the timeouts of suspensions
     * @param options the settings of exchanges
     */
    public ExchangeDispatcher(HttpHandler root, Workers workers, Timers timers, ExchangeOptions options) {
        this(root, workers, timers, options, new Attributes(), new RequestMeter());
    }

    /**
     * A dispatcher whose exchanges have initial attributes.
     *
     * @param given the attributes; must not be modified any more
     * @param meter counts them
     */
    public ExchangeDispatcher(
            HttpHandler root,
            Workers workers,
            Timers timers,
            ExchangeOptions options,
            Attributes given,
            RequestMeter meter) {
        this.root = root;
        context = new ExchangeContext(workers, null, timers, options, given, false, meter, null);
        addresses = null;
        maxPerAddress = Integer.MAX_VALUE;
    }

    private ExchangeDispatcher(
            HttpHandler root, ExchangeContext context, @Nullable AddressShares addresses, int maxPerAddress) {
        this.root = root;
        this.context = context;
        this.addresses = addresses;
        this.maxPerAddress = maxPerAddress;
    }

    /**
     * The same, but the handlers of requests from one address run on at most this number of workers at the same time; others
     * wait in order. The address is that of {@link io.millrace.io.ConnectionInfo#remote}, as the protocol and the layers
     * below report it.
     */
    public ExchangeDispatcher withMaxPerAddress(int most) {
        return new ExchangeDispatcher(root, context, new AddressShares(most), most);
    }

    /** The same, but each exchange gets a {@link RequestId}. */
    public ExchangeDispatcher withRequestIds() {
        return new ExchangeDispatcher(root, context.withRequestIds(), addresses, maxPerAddress);
    }

    /** The same, but a handler that is expected to be short runs on the thread that has read the request. */
    public ExchangeDispatcher withInlineRuns(InlineRuns counted) {
        return new ExchangeDispatcher(root, context.with(counted), addresses, maxPerAddress);
    }

    @Override
    public Dispatcher ofConnection(int most, Runnable reached) {
        return new ExchangeDispatcher(
                root, context.with(context.workers().share(most, reached)), addresses, maxPerAddress);
    }

    @Override
    public void dispatch(RequestHead request, HttpStream stream) {
        Channel channel = stream.channel();
        new Exchange(addresses == null ? context : sharing(addresses, channel), request, stream)
                .begin()
                .start(root, channel.blocker());
    }

    @Override
    public void refused(RefusedRequest request) {
        context.meter().refuse(request.version(), request.status());
        if (context.requestIds()) {
            RequestId id = new RequestId();
            id.addTo(request.fields());
            request.around(id::carriedBy);
        }
    }

    private ExchangeContext sharing(AddressShares among, Channel channel) {
        if (!(channel.info().remote() instanceof InetSocketAddress client) || client.isUnresolved()) {
            return context; // a Unix domain socket
        }
        return context.with(among.share(client.getAddress(), context.steps(), context.tasks(), () -> {
            if (channel.limits().reached(Limit.ADDRESS_WORKERS)) {
                CoreLog.EXCHANGE.addressWaits(client.getAddress().getHostAddress(), maxPerAddress);
            }
        }));
    }

    @Override
    public Turns turns() {
        return context.workers();
    }
}
