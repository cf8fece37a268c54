package io.millrace.websocket.jsr;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.websocket.Decoder;
import javax.websocket.DeploymentException;
import javax.websocket.Encoder;
import org.jspecify.annotations.Nullable;

/**
 * The encoder and decoder classes of an endpoint, in the order of its configuration, with their message types (JSR 356, 4.1.2
 * and 4.1.3). Created when the endpoint is deployed; immutable. Each session has its own instances, {@link Coders}.
 */
public final class CoderTypes {

    /** For endpoints without encoders and decoders. */
    public static final CoderTypes NONE = new CoderTypes(List.of(), List.of());

    /** The representation of messages that a class encodes or decodes. */
    enum Form {
        TEXT(Encoder.Text.class, Decoder.Text.class),
        TEXT_STREAM(Encoder.TextStream.class, Decoder.TextStream.class),
        BINARY(Encoder.Binary.class, Decoder.Binary.class),
        BINARY_STREAM(Encoder.BinaryStream.class, Decoder.BinaryStream.class);

        private final Class<? extends Encoder> encoder;
        private final Class<? extends Decoder> decoder;

        Form(Class<? extends Encoder> encoder, Class<? extends Decoder> decoder) {
            this.encoder = encoder;
            this.decoder = decoder;
        }

        boolean isText() {
            return this == TEXT || this == TEXT_STREAM;
        }
    }

    /**
     * A class, in one of its forms.
     *
     * @param type the type that it encodes or decodes
     */
    record CoderType<C>(Class<? extends C> coder, Form form, Class<?> type) {}

    private final List<CoderType<Encoder>> encoders;
    private final List<CoderType<Decoder>> decoders;

    private CoderTypes(List<CoderType<Encoder>> encoders, List<CoderType<Decoder>> decoders) {
        this.encoders = List.copyOf(encoders);
        this.decoders = List.copyOf(decoders);
    }

    /**
     * The types of an endpoint's configuration.
     *
     * @throws DeploymentException if a class cannot be instantiated or does not declare its type
     */
    public static CoderTypes of(
            List<? extends Class<? extends Encoder>> encoders, List<? extends Class<? extends Decoder>> decoders)
            throws DeploymentException {
        if (encoders.isEmpty() && decoders.isEmpty()) {
            return NONE;
        }
        List<CoderType<Encoder>> encoderTypes = new ArrayList<>();
        for (Class<? extends Encoder> encoder : encoders) {
            int before = encoderTypes.size();
            for (Form form : Form.values()) {
                add(encoderTypes, encoder, form, form.encoder);
            }
            requireAny(encoder, encoderTypes.size() > before, "Encoder");
        }
        List<CoderType<Decoder>> decoderTypes = new ArrayList<>();
        for (Class<? extends Decoder> decoder : decoders) {
            int before = decoderTypes.size();
            for (Form form : Form.values()) {
                add(decoderTypes, decoder, form, form.decoder);
            }
            requireAny(decoder, decoderTypes.size() > before, "Decoder");
        }
        return new CoderTypes(encoderTypes, decoderTypes);
    }

    private static <C> void add(
            List<CoderType<C>> list, Class<? extends C> coder, Form form, Class<? extends C> generic)
            throws DeploymentException {
        if (!generic.isAssignableFrom(coder)) {
            return;
        }
        Class<?> type = TypeArgument.of(coder, generic);
        if (type == null) {
            throw new DeploymentException(coder.getName() + " does not declare the type of its messages: implement "
                    + generic.getName().replace('$', '.') + " with a class as its type argument.");
        }
        list.add(new CoderType<>(coder, form, type));
    }

    private static void requireAny(Class<?> coder, boolean any, String kind) throws DeploymentException {
        if (!any) {
            throw new DeploymentException(coder.getName() + " implements none of " + kind + ".Text, " + kind
                    + ".TextStream, " + kind + ".Binary and " + kind + ".BinaryStream.");
        }
        boolean usable = !Modifier.isAbstract(coder.getModifiers())
                && Stream.of(coder.getDeclaredConstructors()).anyMatch(each -> each.getParameterCount() == 0);
        if (!usable) {
            throw new DeploymentException(coder.getName()
                    + " is abstract or has no constructor without arguments, and each connection needs an instance.");
        }
    }

    /** The decoders of exactly this type, in order; if there are none, those of its subtypes. */
    List<CoderType<Decoder>> decoders(Class<?> type) {
        List<CoderType<Decoder>> exact =
                decoders.stream().filter(decoder -> decoder.type() == type).toList();
        return exact.isEmpty()
                ? decoders.stream()
                        .filter(decoder -> type.isAssignableFrom(decoder.type()))
                        .toList()
                : exact;
    }

    /** The first encoder of exactly this type; if there is none, the first of a supertype; otherwise null. */
    @Nullable
    CoderType<Encoder> encoder(Class<?> type) {
        CoderType<Encoder> found = null;
        for (CoderType<Encoder> encoder : encoders) {
            if (encoder.type() == type) {
                return encoder;
            }
            if (found == null && encoder.type().isAssignableFrom(type)) {
                found = encoder;
            }
        }
        return found;
    }
}
