package io.millrace.handler;

import io.millrace.net.AddressSet;
import io.millrace.net.IpLiteral;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** A rule of address ranges, each with a pattern for ports. */
record PortedRanges(List<Range> allow, List<Range> deny) implements AddressRule {

    private record Range(AddressSet addresses, Pattern ports) {

        boolean contains(InetAddress address, String port) {
            return ports.matcher(port).matches() && addresses.contains(address);
        }
    }

    static PortedRanges parse(String allow, String deny) {
        return new PortedRanges(ranges(allow), ranges(deny));
    }

    private static List<Range> ranges(String list) {
        List<Range> ranges = new ArrayList<>();
        for (String entry : list.strip().split("\\s*,\\s*", -1)) {
            if (!entry.isEmpty()) {
                ranges.add(range(entry));
            }
        }
        return List.copyOf(ranges);
    }

    private static Range range(String entry) {
        int semicolon = entry.indexOf(';');
        if (semicolon < 0) {
            throw new IllegalArgumentException(
                    "\"" + entry + "\" has no port, so it would match no client; expected one as in 10.0.0.0/8;8443");
        }
        try {
            return new Range(
                    AddressSet.parse(entry.substring(0, semicolon)), Pattern.compile(entry.substring(semicolon + 1)));
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("\"" + entry + "\": the port is not a regular expression", e);
        }
    }

    @Override
    public boolean allows(String client) {
        int semicolon = client.indexOf(';');
        InetAddress address =
                semicolon < 0 ? null : IpLiteral.parse(IpLiteral.withoutScope(client.substring(0, semicolon)));
        if (address == null) {
            return false;
        }
        String port = client.substring(semicolon + 1);
        if (deny.stream().anyMatch(range -> range.contains(address, port))) {
            return false;
        }
        return allow.stream().anyMatch(range -> range.contains(address, port)) || allow.isEmpty() && !deny.isEmpty();
    }
}
