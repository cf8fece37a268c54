package io.millrace.forwarded;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hops of a request, from the peer back to the first one that is not trusted, which is the client, because it may have
 * invented the addresses left of its own. An element that is not an address ends the chain.
 *
 * @param client null if the field contains no client
 * @param proxies the front ends that are trusted, but not internal
 * @param rest the elements left of the client
 */
record Chain(@Nullable Hop client, List<String> proxies, List<String> rest) {

    /**
     * Evaluates a list of addresses from the right.
     *
     * @param names the elements of the field; the last one was added by the peer
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
