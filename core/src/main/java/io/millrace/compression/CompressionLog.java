package io.millrace.compression;

import org.jboss.logging.Logger;

/** What compression says for the curious. */
final class CompressionLog {

    static final Logger LOG = Logger.getLogger("io.millrace.compression");

    private CompressionLog() {}
}
