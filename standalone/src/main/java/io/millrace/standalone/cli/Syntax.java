package io.millrace.standalone.cli;

import java.util.List;

/**
 * What a command takes.
 *
 * @param description one sentence for the help
 */
public record Syntax(String name, String description, Operand operand, List<Option> options) {}
