package io.millrace.examples.spring;

import javax.validation.constraints.Min;
import javax.validation.constraints.NotBlank;
import javax.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;

/** Who signed the guest book: the form, a row of the page and the JSON. Public, as expressions in pages need it. */
public final class Guest {

    @NotBlank(message = "Who are you?")
    private String name = "";

    @SuppressWarnings("MultipleNullnessAnnotations") // null until it is filled in, which the validator asks for
    @NotNull(message = "How old are you?")
    @Min(value = 18, message = "Come back when you are {value}.")
    private @Nullable Integer age;

    public String getName() {
        return name;
    }

    public void setName(String name) {
        this.name = name;
    }

    public @Nullable Integer getAge() {
        return age;
    }

    public void setAge(@Nullable Integer age) {
        this.age = age;
    }
}
