package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.TEXT;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problems;

/** {@code <Rules file="conf/shop.rules"/>} in Host and Context, which Tomcat does not have: handlers before the applications. */
public final class RulesKind extends Element.Kind {

    /** The name of its elements. */
    public static final String NAME = "Rules";

    private static final SettingGroup GROUP = new SettingGroup();

    /** The file of rules, relative to the base directory. */
    public static final Setting<String> FILE = GROUP.optional("file", TEXT);

    RulesKind() {
        super(NAME, Attribute.of(GROUP.settings()));
    }

    @Override
    public void check(Element element, String parent, Problems problems) {
        String file = element.find(FILE);
        if (file == null || file.isBlank()) {
            problems.error(element.line(), "Rules has no file; expected file=\"conf/shop.rules\"");
        }
    }
}
