package io.millrace.standalone.config.realm;

import static io.millrace.settings.SettingType.TEXT;

import io.millrace.servlet.identity.PasswordFormat;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import io.millrace.standalone.config.xml.Problems;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A kind of CredentialHandler: the format of stored passwords. */
public abstract class CredentialHandler extends Element.Kind {

    private static final String NAME = "CredentialHandler";

    private CredentialHandler(String name, List<Attribute<?>> own, String... children) {
        super(NAME, UnknownRealm.PACKAGE + name, own, children);
    }

    /** All kinds. */
    static List<CredentialHandler> kinds() {
        return List.of(new MessageDigest(), new SecretKey(), new Nested());
    }

    /** @throws IllegalArgumentException if this JVM does not have its algorithm */
    abstract PasswordFormat format(Element handler, Problems problems);

    /** The format that the CredentialHandlers in an element specify. */
    static PasswordFormat in(Element container, Problems problems) {
        List<PasswordFormat> formats = new ArrayList<>();
        for (Element handler : container.children(NAME)) {
            PasswordFormat format = read(handler, problems);
            if (format != null) {
                formats.add(format);
            }
        }
        return switch (formats.size()) {
            case 0 -> PasswordFormat.detected();
            case 1 -> formats.get(0);
            default -> PasswordFormat.anyOf(formats.toArray(PasswordFormat[]::new));
        };
    }

    private static @Nullable PasswordFormat read(Element handler, Problems problems) {
        try {
            return handler.kind() instanceof CredentialHandler kind ? kind.format(handler, problems) : null;
        } catch (IllegalArgumentException e) {
            problems.error(handler.line(), "CredentialHandler: " + e.getMessage());
            return null;
        }
    }

    private static final class MessageDigest extends CredentialHandler {

        private static final SettingGroup GROUP = new SettingGroup();
        private static final Setting<String> ALGORITHM = GROUP.optional("algorithm", TEXT);
        private static final Setting<Charset> ENCODING = GROUP.add(
                "encoding",
                SettingType.parsed("a character set of Java, such as UTF-8", Charset::forName),
                StandardCharsets.UTF_8);

        MessageDigest() {
            super(
                    "MessageDigestCredentialHandler",
                    Attribute.all(Attribute.of(GROUP.settings()), TomcatAttributes.of("CredentialHandler")));
        }

        @Override
        PasswordFormat format(Element handler, Problems problems) {
            String algorithm = handler.find(ALGORITHM);
            return algorithm == null
                    ? PasswordFormat.detected()
                    : PasswordFormat.digested(algorithm, handler.get(ENCODING));
        }
    }

    private static final class SecretKey extends CredentialHandler {

        private static final SettingGroup GROUP = new SettingGroup();
        private static final Setting<String> ALGORITHM = GROUP.add("algorithm", TEXT, "PBKDF2WithHmacSHA1");

        SecretKey() {
            super(
                    "SecretKeyCredentialHandler",
                    Attribute.all(
                            Attribute.of(GROUP.settings()),
                            TomcatAttributes.of("CredentialHandler"),
                            TomcatAttributes.of("SecretKeyCredentialHandler")));
        }

        @Override
        PasswordFormat format(Element handler, Problems problems) {
            return PasswordFormat.derivedKey(handler.get(ALGORITHM));
        }
    }

    /** Any of those in it. */
    private static final class Nested extends CredentialHandler {

        Nested() {
            super("NestedCredentialHandler", List.of(), NAME);
        }

        @Override
        PasswordFormat format(Element handler, Problems problems) {
            return in(handler, problems);
        }
    }
}
