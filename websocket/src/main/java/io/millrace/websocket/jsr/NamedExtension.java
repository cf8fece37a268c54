package io.millrace.websocket.jsr;

import io.millrace.websocket.WebSocketExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.websocket.Extension;

/** An extension with the interface of JSR 356. */
public record NamedExtension(WebSocketExtension extension) implements Extension {

    @Override
    public String getName() {
        return extension.name();
    }

    @Override
    public List<Parameter> getParameters() {
        List<Parameter> parameters = new ArrayList<>();
        for (Map.Entry<String, String> parameter : extension.parameters().entrySet()) {
            parameters.add(new NamedParameter(parameter.getKey(), parameter.getValue()));
        }
        return parameters;
    }

    @Override
    public String toString() {
        return extension.toString();
    }

    private record NamedParameter(String name, String value) implements Parameter {

        @Override
        public String getName() {
            return name;
        }

        @Override
        public String getValue() {
            return value;
        }
    }
}
