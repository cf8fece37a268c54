package io.millrace.examples.struts;

/** A guest: a row of the page and of the JSON. Public, because expressions in pages use it. */
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
