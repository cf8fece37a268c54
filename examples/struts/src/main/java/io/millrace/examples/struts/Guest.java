package io.millrace.examples.struts;

/** Who signed the guest book: a row of the page and of the JSON. Public, as expressions in pages need it. */
public final class Guest {

    private final String name;
    private final int age;

    Guest(String name, int age) {
        this.name = name;
        this.age = age;
    }

    public String getName() {
        return name;
    }

    public int getAge() {
        return age;
    }
}
