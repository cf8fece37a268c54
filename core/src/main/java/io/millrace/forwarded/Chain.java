package io.millrace.forwarded;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who passed a request on to whom, from the peer back to the first who is not trusted: he is the client, for what stands
 * left of him he may have made up. What is no address ends the chain before it.
 *
 * @param client null if the field names no client
 * @param proxies those to be told of: trusted, but not internal
 * @param rest what stands left of the client
 */
record Chain(@Nullable Hop client, List<String> proxies, List<String> rest) {

    /**
     * Walks back.
     *
     * @param names what the field lists; the last was added by the peer
     */
    static Chain walk(Hop peer, List<String> names, Trust internal, Trust trusted) {
        Deque<String> proxies = new ArrayDeque<>();
        if (!internal.includes(peer)) {
            proxies.addFirst(peer.text());
        }
        Hop client = null;
        int left = names.size();
        while (left > 0) {
            Hop hop = Hop.parse(names.get(left - 1));
            if (hop == null) {
                break;
            }
            left--;
            client = hop;
            if (internal.includes(hop)) {
                continue;
            }
            if (!trusted.includes(hop)) {
                break;
            }
            proxies.addFirst(hop.text());
        }
        return new Chain(client, List.copyOf(proxies), names.subList(0, left));
    }
}
