package io.millrace.examples.spring;

import javax.validation.constraints.Min;
import javax.validation.constraints.NotBlank;
import javax.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;

/** A guest: the form, a row of the page and the JSON. Public, because expressions in pages use it. */
public final class Guest {

    @NotBlank(message = "Who are you?")
    private String name = "";

    @SuppressWarnings("MultipleNullnessAnnotations") // null until the form is filled in, as the validator requires
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
