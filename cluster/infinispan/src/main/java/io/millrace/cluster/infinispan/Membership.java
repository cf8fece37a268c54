package io.millrace.cluster.infinispan;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.View;
import org.jgroups.stack.IpAddress;
import org.jgroups.stack.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Who is in the cluster, and where: a protocol between the failure detection and its verification, which changes nothing. While a
 * member is suspected, this server may be the one that the others have lost, so what it has in memory may not be the latest: it learns that
 * by the suspicion, before the others have verified theirs and go on without it. After a member has been lost, it does not know before Infinispan has
 * decided who goes on: until then Infinispan takes writes for done that the lost member has not confirmed. Thread-safe.
 */
final class Membership extends Protocol {

    /** Those that have left are kept, to ask whether they have ended. */
    private static final int MAX_KNOWN = 1_000;

    // guarded by this
    private List<Address> members = List.of();
    private final Set<Address> suspects = new HashSet<>();

    /** Whether Infinispan has decided since the last member was lost. */
    private boolean settled = true;

    /** Whether there are no suspects, and it is settled; read by each request. */
    private volatile boolean trusted = true;

    private final Map<Address, InetSocketAddress> places = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Address, InetSocketAddress> eldest) {
            return size() > MAX_KNOWN;
        }
    };

    @Override
    public Object up(Event event) {
        if (event.getType() == Event.SUSPECT && event.getArg() instanceof Collection<?> suspected) {
            suspect(suspected);
        } else if (event.getType() == Event.UNSUSPECT) {
            unsuspect(event.getArg());
        }
        return up_prot.up(event);
    }

    @Override
    public Object down(Event event) {
        Object result = down_prot.down(event);
        if (event.getType() == Event.VIEW_CHANGE) {
            View view = event.getArg();
            install(view.getMembers());
        } else if (event.getType() == Event.UNSUSPECT) {
            unsuspect(event.getArg());
        }
        return result;
    }

    private synchronized void suspect(Collection<?> suspected) {
        members.stream().filter(suspected::contains).forEach(suspects::add);
        changed();
    }

    private synchronized void unsuspect(@Nullable Object member) {
        suspects.remove(member);
        changed();
    }

    private synchronized void install(List<Address> now) {
        settled &= now.containsAll(members);
        members = List.copyOf(now);
        suspects.retainAll(now);
        changed();
        locate();
    }

    /** Notes that Infinispan has decided who goes on, if the members are still these. */
    synchronized void settle(List<Address> of) {
        if (!settled && members.equals(of)) {
            settled = true;
            changed();
        }
    }

    private synchronized void changed() {
        trusted = settled && suspects.isEmpty();
        notifyAll();
    }

    /** The address of a member may become known after the member. */
    private void locate() {
        for (Address member : members) {
            if (!places.containsKey(member)
                    && down_prot.down(new Event(Event.GET_PHYSICAL_ADDRESS, member)) instanceof IpAddress place) {
                places.put(member, new InetSocketAddress(place.getIpAddress(), place.getPort()));
            }
        }
    }

    /** Waits for a change. */
    synchronized void await(long millis) throws InterruptedException {
        wait(millis);
    }

    /** Waits until what is in memory can be trusted; false if it cannot after that time. */
    boolean awaitTrust(long nanos) throws InterruptedException {
        return trusted || awaitChangeOfTrust(nanos);
    }

    private synchronized boolean awaitChangeOfTrust(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; !trusted; left = end - System.nanoTime()) {
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }

    /** Whether what is in memory can be trusted. */
    boolean isTrusted() {
        return trusted;
    }

    /** The addresses of the members, as far as they are known. */
    synchronized List<InetSocketAddress> places() {
        locate();
        List<InetSocketAddress> found = new ArrayList<>();
        for (Address member : members) {
            InetSocketAddress place = places.get(member);
            if (place != null) {
                found.add(place);
            }
        }
        return found;
    }

    synchronized List<Address> members() {
        return members;
    }

    synchronized int size() {
        return members.size();
    }

    synchronized boolean isMember(Address member) {
        return members.contains(member);
    }

    /** Whether another member has the address that one had. */
    synchronized boolean isReplaced(Address member) {
        InetSocketAddress place = places.get(member);
        return place != null
                && members.stream().anyMatch(other -> !other.equals(member) && place.equals(places.get(other)));
    }

    /** The address of one that is or was a member; null if it is not known. */
    synchronized @Nullable InetSocketAddress place(Address member) {
        return places.get(member);
    }
}
