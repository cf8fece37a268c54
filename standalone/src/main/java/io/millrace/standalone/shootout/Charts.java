package io.millrace.standalone.shootout;

import io.millrace.handler.Page;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Charts as SVG within a page, at the width of a phone. Their colours are classes of its style: {@code f0} to {@code f4} fill, {@code s0} to
 * {@code s4} draw lines.
 */
final class Charts {

    private Charts() {}

    private static String at(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /** Horizontal bars, in groups with a title. */
    static final class Bars {

        private static final int WIDTH = 352;
        private static final int LEFT = 84;
        private static final int RIGHT = 88;
        private static final int STEP = 19;
        private static final int BAR = 13;
        private static final int HEADING = 22;

        /** @param strong the value of the strong bar; the faint one's is {@code value} */
        private record Bar(
                String group,
                String name,
                String color,
                double strong,
                double value,
                double least,
                double most,
                String text) {}

        private final String title;
        private final List<Bar> bars = new ArrayList<>();

        Bars(String title) {
            this.title = title;
        }

        /** With a line from the least to the most; NaN for none. */
        void bar(String group, String name, String color, double value, double least, double most, String text) {
            bars.add(new Bar(group, name, color, value, value, least, most, text));
        }

        /** A strong bar on a faint one. */
        void pair(String group, String name, String color, double strong, double faint, String text) {
            bars.add(new Bar(group, name, color, strong, faint, Double.NaN, Double.NaN, text));
        }

        String svg() {
            double most = 0;
            for (Bar bar : bars) {
                most = Math.max(most, Double.isNaN(bar.value) ? 0 : bar.value);
                most = Math.max(most, Double.isNaN(bar.most) ? 0 : bar.most);
            }
            double scale = most > 0 ? (WIDTH - LEFT - RIGHT) / most : 0;
            StringBuilder body = new StringBuilder();
            int y = 4;
            String group = "";
            for (Bar bar : bars) {
                if (!bar.group.equals(group)) {
                    group = bar.group;
                    body.append("<text class=\"dim\" x=\"0\" y=\"")
                            .append(y + 15)
                            .append("\">")
                            .append(Page.escaped(group))
                            .append("</text>\n");
                    y += HEADING;
                }
                draw(bar, y, scale, body);
                y += STEP;
            }
            return "<svg viewBox=\"0 0 " + WIDTH + " " + (y + 4) + "\" role=\"img\" aria-label=\"" + Page.escaped(title)
                    + "\">\n" + body + "</svg>\n";
        }

        private static void draw(Bar bar, int y, double scale, StringBuilder to) {
            double faint = length(bar.value, scale);
            to.append("<text x=\"8\" y=\"")
                    .append(y + 11)
                    .append("\">")
                    .append(Page.escaped(bar.name))
                    .append("</text>");
            if (bar.strong < bar.value) {
                rectangle(y, faint, "f" + bar.color + " faint", to);
            }
            rectangle(y, length(bar.strong, scale), "f" + bar.color, to);
            double end = faint;
            if (bar.most > bar.least) {
                double from = LEFT + length(bar.least, scale);
                double until = LEFT + length(bar.most, scale);
                double middle = y + BAR / 2.0;
                to.append("<path class=\"range\" d=\"M")
                        .append(at(from))
                        .append(' ')
                        .append(at(middle))
                        .append('H')
                        .append(at(until))
                        .append("\"/>");
                end = Math.max(end, until - LEFT);
            }
            to.append("<text x=\"")
                    .append(at(LEFT + end + 6))
                    .append("\" y=\"")
                    .append(y + 11)
                    .append("\">")
                    .append(Page.escaped(bar.text))
                    .append("</text>\n");
        }

        private static double length(double value, double scale) {
            return Double.isNaN(value) ? 0 : value * scale;
        }

        private static void rectangle(int y, double width, String style, StringBuilder to) {
            to.append("<rect class=\"")
                    .append(style)
                    .append("\" x=\"" + LEFT + "\" y=\"")
                    .append(y)
                    .append("\" width=\"")
                    .append(at(width))
                    .append("\" height=\"" + BAR + "\"/>");
        }
    }

    /** Lines over sizes; both axes are logarithms to the base of two. */
    static final class Lines {

        private static final int WIDTH = 352;
        private static final int HEIGHT = 240;
        private static final int LEFT = 48;
        private static final int RIGHT = 76;
        private static final int BOTTOM = 24;
        private static final int TOP = 10;

        private record Line(String name, String color, List<double[]> points) {}

        private record Mark(double size, String text) {}

        private final String title;
        private final List<Line> lines = new ArrayList<>();
        private final List<Mark> marks = new ArrayList<>();

        Lines(String title) {
            this.title = title;
        }

        void line(String name, String color, List<double[]> points) {
            lines.add(new Line(
                    name,
                    color,
                    points.stream().sorted((a, b) -> Double.compare(a[0], b[0])).toList()));
        }

        void mark(double size, String text) {
            marks.add(new Mark(size, text));
        }

        private static double log2(double value) {
            return Math.log(value) / Math.log(2);
        }

        String svg() {
            double low = lines.stream()
                    .flatMap(line -> line.points.stream())
                    .mapToDouble(point -> point[1])
                    .min()
                    .orElse(1);
            double high = lines.stream()
                    .flatMap(line -> line.points.stream())
                    .mapToDouble(point -> point[1])
                    .max()
                    .orElse(2);
            double bottom = Math.floor(log2(Math.max(low, 0.001)));
            double top = Math.max(bottom + 1, Math.ceil(log2(Math.max(high, 0.001))));
            double least = log2(marks.stream().mapToDouble(Mark::size).min().orElse(1));
            double most = log2(marks.stream().mapToDouble(Mark::size).max().orElse(2));
            StringBuilder body = new StringBuilder();
            for (double power = bottom; power <= top; power++) {
                double y = y(power, bottom, top);
                body.append("<path class=\"grid\" d=\"M" + LEFT + " ")
                        .append(at(y))
                        .append("H")
                        .append(WIDTH - RIGHT)
                        .append("\"/>");
                body.append("<text class=\"dim\" text-anchor=\"end\" x=\"")
                        .append(LEFT - 6)
                        .append("\" y=\"")
                        .append(at(y + 4))
                        .append("\">")
                        .append(Figures.number(Math.pow(2, power)).replace(".00", ""))
                        .append("</text>\n");
            }
            for (Mark mark : marks) {
                body.append("<text class=\"dim\" text-anchor=\"middle\" x=\"")
                        .append(at(x(log2(mark.size), least, most)))
                        .append("\" y=\"")
                        .append(HEIGHT - 6)
                        .append("\">")
                        .append(Page.escaped(mark.text))
                        .append("</text>\n");
            }
            double[] ends = lines.stream()
                    .mapToDouble(line ->
                            y(log2(Math.max(0.001, line.points.get(line.points.size() - 1)[1])), bottom, top))
                    .toArray();
            double[] labels = apart(ends);
            for (int i = 0; i < lines.size(); i++) {
                draw(lines.get(i), labels[i], new double[] {bottom, top, least, most}, body);
            }
            return "<svg viewBox=\"0 0 " + WIDTH + " " + HEIGHT + "\" role=\"img\" aria-label=\"" + Page.escaped(title)
                    + "\">\n" + body + "</svg>\n";
        }

        private static void draw(Line line, double label, double[] axes, StringBuilder to) {
            StringBuilder path = new StringBuilder();
            for (double[] point : line.points) {
                path.append(path.isEmpty() ? "M" : "L")
                        .append(at(x(log2(point[0]), axes[2], axes[3])))
                        .append(' ')
                        .append(at(y(log2(Math.max(0.001, point[1])), axes[0], axes[1])));
            }
            to.append("<path class=\"s")
                    .append(line.color)
                    .append("\" fill=\"none\" stroke-width=\"2\" d=\"")
                    .append(path)
                    .append("\"/>");
            to.append("<text class=\"f")
                    .append(line.color)
                    .append("\" x=\"")
                    .append(WIDTH - RIGHT + 14)
                    .append("\" y=\"")
                    .append(at(label + 4))
                    .append("\">")
                    .append(Page.escaped(line.name))
                    .append("</text>\n");
        }

        /** Where names stand so that none covers another one: as near to their lines as possible, from the top. */
        private static double[] apart(double[] wanted) {
            Integer[] order = new Integer[wanted.length];
            for (int i = 0; i < order.length; i++) {
                order[i] = i;
            }
            Arrays.sort(order, (a, b) -> Double.compare(wanted[a], wanted[b]));
            double[] found = wanted.clone();
            double free = Double.NEGATIVE_INFINITY;
            for (int index : order) {
                found[index] = Math.max(wanted[index], free);
                free = found[index] + 13;
            }
            return found;
        }

        private static double x(double log, double least, double most) {
            return LEFT + 14 + (most > least ? (log - least) / (most - least) : 0.5) * (WIDTH - LEFT - RIGHT - 14);
        }

        private static double y(double log, double bottom, double top) {
            return TOP + (top - log) / (top - bottom) * (HEIGHT - TOP - BOTTOM);
        }
    }
}
