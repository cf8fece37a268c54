/** TLS by OpenSSL 3, called by {@code java.lang.foreign}, for every transport. */
module io.millrace.tls.openssl {
    requires transitive io.millrace.core;
    requires io.millrace.natives;
    requires org.jboss.logging;
    requires static org.jboss.logging.annotations;
    requires static org.jspecify;

    provides io.millrace.tls.TlsProvider with
            io.millrace.tls.openssl.OpenSslProvider;
}
