package io.millrace.standalone.probe;

import java.util.Map;
import org.apache.catalina.valves.rewrite.RewriteMap;
import org.jspecify.annotations.Nullable;

/** A map of an operator's own, written for Tomcat. */
public final class ShopMap implements RewriteMap {

    private String suffix = "";

    @Override
    public @Nullable String setParameters(String params) {
        suffix = params;
        return null;
    }

    @Override
    public @Nullable String lookup(String key) {
        String shop = Map.of("1", "one", "2", "two").get(key);
        return shop == null ? null : shop + suffix;
    }
}
