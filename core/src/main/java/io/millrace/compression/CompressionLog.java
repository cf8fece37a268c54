package io.millrace.compression;

import org.jboss.logging.Logger;

/** Debug messages of compression. */
final class CompressionLog {

    static final Logger LOG = Logger.getLogger("io.millrace.compression");

    private CompressionLog() {}
}
