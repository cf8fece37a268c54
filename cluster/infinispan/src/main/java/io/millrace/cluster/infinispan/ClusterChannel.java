package io.millrace.cluster.infinispan;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import org.infinispan.remoting.transport.jgroups.AbstractJGroupsChannelConfigurator;
import org.jgroups.JChannel;
import org.jgroups.conf.ProtocolConfiguration;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FRAG4;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.MFC;
import org.jgroups.protocols.PerDestinationBundler;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.UFC;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.Protocol;

/**
 * Makes the JGroups channel for Infinispan, in code: a configuration in a file would be looked for on the class path, where {@code jgroups.jar} has some of
 * the same names. One port, on one address; no diagnostics.
 *
 * <p>A member whose connection breaks is suspected at once, one that is silent after {@code dropTime}. The others go on without it when it
 * has not answered for another 0.3 of it. That is three heartbeats, so that who is cut off from all others suspects them before
 * they go on ({@link Membership}).
 */
final class ClusterChannel extends AbstractJGroupsChannelConfigurator {

    private static final int HEARTBEATS = 10;
    private static final int MERGE_LEAST_PART = 5;
    private static final int CONNECT_MILLIS = 1_000;
    private static final int JOIN_MILLIS = 1_000;
    private static final int LEAVE_MILLIS = 1_000;

    /** A message is a fragment of at most this. */
    private static final int FRAGMENT = 60_000;

    /** Messages are sent in bundles of 64,000 bytes at most. Who sends more is not one of ours. */
    private static final int MAX_BUNDLE = 1 << 20;

    /** How long a thread may wait for another server that takes nothing. */
    private static final int BLOCK_MILLIS = 500;

    private static final long CREDITS = 4_000_000;

    private final InfinispanOptions options;
    private final Membership membership;
    private final String engine;

    /** @param engine for log messages */
    ClusterChannel(InfinispanOptions options, Membership membership, String engine) {
        this.options = options;
        this.membership = membership;
        this.engine = engine;
    }

    @Override
    public String getName() {
        return engine;
    }

    /** For Infinispan's log. */
    @Override
    public String getProtocolStackString() {
        return engine;
    }

    /** None is configured: all are made. */
    @Override
    public List<ProtocolConfiguration> getProtocolStack() {
        return List.of();
    }

    @Override
    public JChannel createChannel(String name) throws Exception {
        List<Protocol> protocols = new ArrayList<>();
        protocols.add(transport());
        protocols.add(discovery(options));
        protocols.add(new MERGE3()
                .setMinInterval(options.dropTime() / MERGE_LEAST_PART)
                .setMaxInterval(options.dropTime()));
        protocols.add(new FD_ALL3().setTimeout(options.dropTime()).setInterval(options.dropTime() / HEARTBEATS));
        protocols.add(membership);
        protocols.add(new VERIFY_SUSPECT2().setTimeout(options.verifyTime()));
        protocols.add(new NAKACK2().useMcastXmit(false));
        protocols.add(new UNICAST3());
        protocols.add(new STABLE());
        protocols.add(new GMS()
                .printLocalAddress(false)
                .setJoinTimeout(JOIN_MILLIS)
                .setLeaveTimeout(LEAVE_MILLIS)
                .logViewWarnings(false));
        protocols.add(new UFC().setMaxCredits(CREDITS).setMaxBlockTime(BLOCK_MILLIS));
        protocols.add(new MFC().setMaxCredits(CREDITS).setMaxBlockTime(BLOCK_MILLIS));
        protocols.add(new FRAG4().setFragSize(FRAGMENT));
        JChannel channel = new JChannel(protocols);
        channel.setName(new InfinispanOptions.Peer(options.address(), options.port()).toString());
        return channel;
    }

    private TCP transport() throws UnknownHostException, GeneralSecurityException {
        String secret = options.secret();
        TCP tcp = secret == null
                ? new TCP()
                : new EncryptedTcp(new FrameCipher(secret, options.clusterName()), MAX_BUNDLE, engine);
        tcp.setBindAddress(InetAddress.getByName(options.address()));
        tcp.setBindPort(options.port());
        tcp.setPortRange(0);
        tcp.tcpNodelay(true);
        tcp.setMaxLength(MAX_BUNDLE);
        tcp.setSockConnTimeout(CONNECT_MILLIS);
        tcp.enableSuspectEvents(true);
        tcp.logDetails(false);
        PerDestinationBundler senders = new PerDestinationBundler();
        senders.useSingleSenderThread(false); // one would wait for each attempt to connect to a server that is cut off
        tcp.setBundler(senders);
        return tcp;
    }

    /** Those whose names cannot be resolved are left out: they find this server when they start. */
    private static TCPPING discovery(InfinispanOptions options) {
        List<InetSocketAddress> found = new ArrayList<>();
        for (InfinispanOptions.Peer peer : options.peers()) {
            try {
                found.add(peer.resolve());
            } catch (UnknownHostException e) {
                // reported by who waits for it
            }
        }
        TCPPING discovery = new TCPPING();
        discovery.setInitialHosts(found);
        discovery.setPortRange(0);
        return discovery;
    }
}
