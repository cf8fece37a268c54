package io.millrace.servlet.inject;

import io.millrace.servlet.filter.CharacterEncodingFilter;
import io.millrace.servlet.filter.HeaderSecurityFilter;
import io.millrace.servlet.filter.RemoteAddrFilter;
import io.millrace.servlet.filter.RemoteCidrFilter;
import io.millrace.servlet.filter.RemoteHostFilter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stands for classes that applications name in web.xml because Tomcat has them. An application's own come first. */
public final class TomcatClasses {

    private static final Map<String, Class<?>> STAND_INS = Map.of(
            "org.apache.catalina.filters.HttpHeaderSecurityFilter", HeaderSecurityFilter.class,
            "org.apache.catalina.filters.RemoteAddrFilter", RemoteAddrFilter.class,
            "org.apache.catalina.filters.RemoteCIDRFilter", RemoteCidrFilter.class,
            "org.apache.catalina.filters.RemoteHostFilter", RemoteHostFilter.class,
            "org.apache.catalina.filters.SetCharacterEncodingFilter", CharacterEncodingFilter.class);

    private TomcatClasses() {}

    public static @Nullable Class<?> standIn(String className) {
        return STAND_INS.get(className);
    }
}
