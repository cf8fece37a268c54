package io.millrace.tls.openssl;

import io.millrace.tls.openssl.binding.NegotiatedSession;
import java.io.ByteArrayInputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSessionBindingEvent;
import javax.net.ssl.SSLSessionBindingListener;
import javax.net.ssl.SSLSessionContext;
import org.jspecify.annotations.Nullable;

/**
 * A session of OpenSSL as an {@link javax.net.ssl.SSLSession}. It holds no native memory. Its values belong to one connection:
 * state that must outlive it is stored by the session's id.
 */
final class OpenSslSession extends ExtendedSSLSession {

    private static final NegotiatedSession NONE =
            new NegotiatedSession(ByteBuffer.allocate(0), "NONE", "SSL_NULL_WITH_NULL_NULL", null, false, 0, List.of());

    private final NegotiatedSession facts;
    private final boolean complete;
    private final @Nullable String serverName;
    private final @Nullable InetSocketAddress remote;
    private final long begun = System.currentTimeMillis();
    private final Map<String, Object> values = new ConcurrentHashMap<>();
    private final Certificate[] peer;
    private volatile boolean valid = true;

    /** @param facts null before the handshake is complete */
    OpenSslSession(@Nullable NegotiatedSession facts, @Nullable String serverName, @Nullable InetSocketAddress remote) {
        complete = facts != null;
        this.facts = facts == null ? NONE : facts;
        this.serverName = serverName;
        this.remote = remote;
        peer = certificates(this.facts.peerCertificates());
    }

    /** Parses certificates, up to the first that the JDK cannot parse. */
    private static Certificate[] certificates(List<byte[]> encoded) {
        Certificate[] certificates = new Certificate[encoded.size()];
        int count = 0;
        try {
            for (byte[] one : encoded) {
                certificates[count] =
                        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(one));
                count++;
            }
            return certificates;
        } catch (CertificateException unreadable) {
            return java.util.Arrays.copyOf(certificates, count);
        }
    }

    @Override
    public byte[] getId() {
        byte[] id = new byte[facts.id().remaining()];
        facts.id().get(facts.id().position(), id);
        return id;
    }

    /** Null: the library caches sessions itself. */
    @Override
    public @Nullable SSLSessionContext getSessionContext() {
        return null;
    }

    @Override
    public long getCreationTime() {
        return complete ? facts.created() * 1000 : begun;
    }

    @Override
    public long getLastAccessedTime() {
        return begun;
    }

    /** Affects this object only. The client may hold a ticket, which a server cannot revoke. */
    @Override
    public void invalidate() {
        valid = false;
    }

    @Override
    public boolean isValid() {
        return valid && complete;
    }

    @Override
    public void putValue(String name, Object value) {
        Object before = values.put(name, value);
        if (value instanceof SSLSessionBindingListener listener) {
            listener.valueBound(new SSLSessionBindingEvent(this, name));
        }
        unbound(name, before);
    }

    @Override
    public @Nullable Object getValue(String name) {
        return values.get(name);
    }

    @Override
    public void removeValue(String name) {
        unbound(name, values.remove(name));
    }

    private void unbound(String name, @Nullable Object value) {
        if (value instanceof SSLSessionBindingListener listener) {
            listener.valueUnbound(new SSLSessionBindingEvent(this, name));
        }
    }

    @Override
    public String[] getValueNames() {
        return values.keySet().toArray(String[]::new);
    }

    @Override
    public Certificate[] getPeerCertificates() throws SSLPeerUnverifiedException {
        if (peer.length == 0) {
            throw new SSLPeerUnverifiedException("the peer sent no certificate");
        }
        return peer.clone();
    }

    @Override
    public Principal getPeerPrincipal() throws SSLPeerUnverifiedException {
        return ((X509Certificate) getPeerCertificates()[0]).getSubjectX500Principal();
    }

    @Override
    public Certificate @Nullable [] getLocalCertificates() {
        return null;
    }

    @Override
    public @Nullable Principal getLocalPrincipal() {
        return null;
    }

    @Override
    public String getCipherSuite() {
        return facts.cipherSuite();
    }

    @Override
    public String getProtocol() {
        return facts.protocol();
    }

    @Override
    public @Nullable String getPeerHost() {
        return remote == null ? null : remote.getHostString();
    }

    @Override
    public int getPeerPort() {
        return remote == null ? -1 : remote.getPort();
    }

    @Override
    public int getPacketBufferSize() {
        return io.millrace.tls.TlsEngine.MAX_OUTPUT;
    }

    @Override
    public int getApplicationBufferSize() {
        return 16 * 1024;
    }

    @Override
    public List<SNIServerName> getRequestedServerNames() {
        return serverName == null ? List.of() : List.of(name(serverName));
    }

    /** As in JSSE, a name that is no valid host name, such as one with an underscore, is not an {@link SNIHostName}. */
    private static SNIServerName name(String text) {
        try {
            return new SNIHostName(text);
        } catch (IllegalArgumentException noHost) {
            return new SNIServerName(0, text.getBytes(StandardCharsets.US_ASCII)) {};
        }
    }

    @Override
    public String[] getLocalSupportedSignatureAlgorithms() {
        return new String[0];
    }

    @Override
    public String[] getPeerSupportedSignatureAlgorithms() {
        return new String[0];
    }
}
