package io.millrace.servlet.request;

import io.millrace.exchange.RequestId;
import io.millrace.handler.PresetAttributes;
import io.millrace.io.CipherStrength;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import io.millrace.io.FrontEndNotes;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.servlet.ServletRequestAttributeEvent;
import javax.servlet.ServletRequestAttributeListener;
import javax.servlet.http.HttpServletRequest;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A request's attributes; notifies listeners of changes. Those of a request over TLS (Servlet 3.1, 3.9), and Tomcat's for the
 * version, are set when one is first read or written; if a front end terminates TLS, they are those that it reports by the PROXY
 * protocol or AJP. Not thread-safe.
 */
final class RequestAttributes {

    private static final Logger LOG = Logger.getLogger(RequestAttributes.class);

    private static final String CIPHER_SUITE = "javax.servlet.request.cipher_suite";
    private static final String KEY_SIZE = "javax.servlet.request.key_size";
    static final String TLS_SESSION_ID = "javax.servlet.request.ssl_session_id";
    private static final String CERTIFICATES = "javax.servlet.request.X509Certificate";
    private static final String VERSION = "org.apache.tomcat.util.net.secure_protocol_version";

    private final ConnectionInfo connection;
    private final Map<String, Object> values = new HashMap<>();
    private boolean tlsFound;

    /**
     * The attributes that the container sets.
     *
     * @param preset set by handlers before the application; null for none
     * @param id null unless requests have ids
     */
    RequestAttributes(ConnectionInfo connection, @Nullable PresetAttributes preset, @Nullable RequestId id) {
        this.connection = connection;
        FrontEnd frontEnd = connection.frontEnd();
        if (frontEnd != null) {
            values.putAll(frontEnd.notes().attributes());
        }
        if (preset != null) {
            values.putAll(preset.values());
        }
        if (id != null) {
            values.put(RequestId.ATTRIBUTE, id.value());
            values.put(RequestId.TRACE_ATTRIBUTE, id.traceId());
        }
    }

    @Nullable
    Object get(String name) {
        if (mayBeTls(name)) {
            findTls();
        }
        return values.get(name);
    }

    Enumeration<String> names() {
        findTls();
        return Collections.enumeration(new ArrayList<>(values.keySet()));
    }

    private void findTls() {
        if (tlsFound) {
            return;
        }
        tlsFound = true;
        SSLSession tls = connection.tlsSession();
        FrontEnd frontEnd = connection.frontEnd();
        if (tls != null) {
            setCipher(tls.getProtocol(), tls.getCipherSuite());
            byte[] id = tls.getId();
            setQuietly(TLS_SESSION_ID, id.length == 0 ? null : HexFormat.of().formatHex(id));
            setQuietly(CERTIFICATES, certificates(tls));
        } else if (frontEnd != null && frontEnd.secure()) {
            setCipher(frontEnd.tlsVersion(), frontEnd.cipherSuite());
            setNotes(frontEnd.notes());
        }
    }

    /**
     * Sets an attribute; null removes it.
     *
     * @param request the source of the listeners' events
     */
    void set(
            String name,
            @Nullable Object value,
            HttpServletRequest request,
            List<ServletRequestAttributeListener> listeners) {
        if (mayBeTls(name)) {
            findTls();
        }
        Object before = value == null ? values.remove(name) : values.put(name, value);
        Object reported = before == null ? value : before;
        if (reported == null || listeners.isEmpty()) {
            return;
        }
        ServletRequestAttributeEvent event =
                new ServletRequestAttributeEvent(request.getServletContext(), request, name, reported);
        for (ServletRequestAttributeListener listener : listeners) {
            if (before == null) {
                listener.attributeAdded(event);
            } else if (value == null) {
                listener.attributeRemoved(event);
            } else {
                listener.attributeReplaced(event);
            }
        }
    }

    /** Sets an attribute of the container, without notifying listeners; null removes it. */
    void setQuietly(String name, @Nullable Object value) {
        if (value == null) {
            values.remove(name);
        } else {
            values.put(name, value);
        }
    }

    /** Whether this may be the name of an attribute of TLS. */
    private static boolean mayBeTls(String name) {
        return name.startsWith("javax.servlet.request.") || name.equals(VERSION);
    }

    private void setCipher(@Nullable String version, @Nullable String suite) {
        setQuietly(VERSION, version);
        setQuietly(CIPHER_SUITE, suite);
        setQuietly(KEY_SIZE, suite == null ? null : CipherStrength.bits(suite));
    }

    /** Sets what a front end sent with this request. */
    private void setNotes(FrontEndNotes notes) {
        if (notes.keySize() > 0) {
            setQuietly(KEY_SIZE, notes.keySize());
        }
        setQuietly(TLS_SESSION_ID, notes.tlsSessionId());
        String pem = notes.certificates();
        setQuietly(CERTIFICATES, pem == null ? null : parse(pem));
    }

    /** Null if the front end's value is not a certificate: then the client is not authenticated by one. */
    private static X509Certificate @Nullable [] parse(String pem) {
        try {
            byte[] bytes = pem.getBytes(StandardCharsets.ISO_8859_1);
            Collection<? extends Certificate> chain =
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(bytes));
            return chain.isEmpty() ? null : chain.toArray(X509Certificate[]::new);
        } catch (CertificateException | ArrayStoreException unreadable) {
            LOG.debugf(unreadable, "A client's certificate that the front end sent can't be read");
            return null;
        }
    }

    private static X509Certificate @Nullable [] certificates(SSLSession tls) {
        try {
            Certificate[] chain = tls.getPeerCertificates();
            return Arrays.copyOf(chain, chain.length, X509Certificate[].class);
        } catch (SSLPeerUnverifiedException | ArrayStoreException e) {
            return null;
        }
    }
}
