package io.millrace.servlet.security;

import io.millrace.http.HttpVersion;
import io.millrace.io.FrontEndUser;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What deciding about a request needs of it. */
public interface SecurityCarrier {

    String method();

    HttpVersion version();

    /**
     * Where it leads, decoded and normalised, below the context path; begins with a slash or is empty. More than one place
     * if a welcome file stands for a directory: who asks for it must be admitted to both.
     */
    List<String> paths();

    /** The path it was sent to, decoded, context path and all. */
    String path();

    @Nullable
    String query();

    /** The request's target as it was sent. */
    String target();

    /** The raw path and query, wherever the request was sent. */
    String rawPathAndQuery();

    /** True if the request came encrypted. */
    boolean isSecure();

    /** A request field's first value. */
    @Nullable
    String header(String name);

    /** Sets a field of the response. */
    void respondWith(String name, String value);

    /** The client's certificate and those it was signed by, its own first; empty if it showed none. */
    List<X509Certificate> certificates();

    /** {@code http://host:port/path}, to redirect to its https twin. */
    String url();

    /** Where https is served; 0: nowhere, requests that need it answer 403. */
    int redirectPort();

    /** A path of the application, for a redirect. */
    String inContext(String path);

    /** Whom a front end has logged in, that is believed in this; null if there is none. */
    @Nullable
    FrontEndUser relayedUser();

    /** A field of the form it carries, as bytes if it does not say what they are; null if there is no such field. */
    @Nullable
    String formField(String name);

    /**
     * The request to keep until its sender has logged in. Its body is read.
     *
     * @return null if its body is larger than the connector keeps
     * @throws IOException if the body can't be read
     */
    @Nullable
    SavedRequest save() throws IOException;

    /** From here on the request is the one that was kept, sent by this one's sender. */
    void replay(SavedRequest saved);
}
