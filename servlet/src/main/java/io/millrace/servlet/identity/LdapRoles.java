package io.millrace.servlet.identity;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.directory.Attributes;
import javax.naming.directory.SearchResult;
import org.jspecify.annotations.Nullable;

/** Finds the roles of a user in a directory. */
final class LdapRoles {

    private final LdapSettings settings;

    LdapRoles(LdapSettings settings) {
        this.settings = settings;
    }

    /**
     * The roles of an authenticated user.
     *
     * @param login the name that the user logged in with
     * @param name the user's distinguished name
     */
    Set<String> of(LdapConnection connection, String login, String name, @Nullable Attributes attributes)
            throws NamingException {
        Set<String> roles = new LinkedHashSet<>(settings.commonRoles());
        if (settings.userRole() != null && attributes != null) {
            addAll(roles, attributes.get(settings.userRole()));
        }
        LdapSettings.Search search = settings.roles();
        if (search == null) {
            return roles;
        }
        String third = attribute(attributes, settings.roleAttribute());
        Deque<String[]> members = new ArrayDeque<>();
        members.add(new String[] {name, login, third});
        Set<String> visited = new HashSet<>();
        while (!members.isEmpty()) {
            String[] member = members.remove();
            String filter = LdapText.filled(
                    search.filter(),
                    LdapText.inFilter(member[0]),
                    LdapText.inFilter(member[1]),
                    LdapText.inFilter(member[2]));
            for (SearchResult role : connection.search(search, filter, settings.roleName())) {
                Attribute named = role.getAttributes().get(settings.roleName());
                addAll(roles, named);
                String roleName = role.getNameInNamespace();
                if (settings.nested() && visited.add(roleName)) {
                    members.add(new String[] {roleName, named == null ? "" : String.valueOf(named.get()), ""});
                }
            }
        }
        return roles;
    }

    private static String attribute(@Nullable Attributes attributes, @Nullable String name) throws NamingException {
        Attribute attribute = attributes == null || name == null ? null : attributes.get(name);
        return attribute == null ? "" : String.valueOf(attribute.get());
    }

    private static void addAll(Set<String> roles, @Nullable Attribute values) throws NamingException {
        if (values == null) {
            return;
        }
        NamingEnumeration<?> each = values.getAll();
        while (each.hasMore()) {
            roles.add(String.valueOf(each.next()));
        }
    }
}
