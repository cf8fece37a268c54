package io.millrace.handler;

import io.millrace.net.IpLiteral;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The notations of a client's address or name, for matching by regular expressions. */
final class Spellings {

    private Spellings() {}

    static List<String> of(String client) {
        int semicolon = client.indexOf(';');
        String name = semicolon < 0 ? client : client.substring(0, semicolon);
        String port = semicolon < 0 ? "" : client.substring(semicolon);
        List<String> all = new ArrayList<>(3);
        all.add(client);
        if (name.indexOf(':') < 0) {
            add(all, name.toLowerCase(Locale.ROOT) + port);
            return all;
        }
        InetAddress address = IpLiteral.parseIpv6(IpLiteral.withoutScope(name));
        if (address != null) {
            add(all, address.getHostAddress() + port);
            add(all, IpLiteral.format(address) + port);
        }
        return all;
    }

    private static void add(List<String> all, String spelling) {
        if (!all.contains(spelling)) {
            all.add(spelling);
        }
    }

    static boolean match(Pattern allow, List<String> spellings) {
        String source = allow.pattern();
        boolean excludes = source.contains("(?!") || source.contains("(?<!") || source.contains("[^");
        return excludes
                ? spellings.stream().allMatch(each -> allow.matcher(each).matches())
                : spellings.stream().anyMatch(each -> allow.matcher(each).matches());
    }
}
