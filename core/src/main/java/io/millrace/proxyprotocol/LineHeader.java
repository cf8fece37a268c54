package io.millrace.proxyprotocol;

import io.millrace.io.FrontEnd;
import io.millrace.net.IpLiteral;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The parser of version 1: one line of text (proxy-protocol.txt, 2.1). Strict. */
final class LineHeader {

    private static final int WORDS = 6;

    private LineHeader() {}

    /** Parses a line with its line end. */
    static ProxyHeader parse(byte[] line) throws BadHeaderException {
        String text = new String(line, 0, line.length - 2, StandardCharsets.ISO_8859_1);
        String[] words = text.split(" ", -1);
        boolean ipv6 = words[1].equals("TCP6");
        if (words[1].equals("UNKNOWN")) {
            return ProxyHeader.UNKNOWN; // the rest of the line must be ignored
        }
        if (!ipv6 && !words[1].equals("TCP4")) {
            throw new BadHeaderException("its protocol is not TCP4, TCP6 or UNKNOWN");
        }
        if (words.length != WORDS) {
            throw new BadHeaderException("it does not have two addresses and two ports, with one space before each");
        }
        return new ProxyHeader(address(words[2], words[4], ipv6), address(words[3], words[5], ipv6), FrontEnd.SILENT);
    }

    private static SocketAddress address(String host, String port, boolean ipv6) throws BadHeaderException {
        InetAddress parsed = ipv6 ? IpLiteral.parseIpv6(host) : IpLiteral.parseIpv4(host);
        return new InetSocketAddress(known(parsed, ipv6), port(port));
    }

    private static InetAddress known(@Nullable InetAddress address, boolean ipv6) throws BadHeaderException {
        if (address == null) {
            throw new BadHeaderException("one of its addresses is not an IPv" + (ipv6 ? 6 : 4) + " address");
        }
        return address;
    }

    private static int port(String digits) throws BadHeaderException {
        int port = IpLiteral.parsePort(digits);
        if (port < 0) {
            throw new BadHeaderException("one of its ports is not a number from 0 to 65535");
        }
        return port;
    }
}
