package org.grampus.perf.compare;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.grampus.perf.result.SvgCharts;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler;

/** A comparison in pictures: bars of both servers for each row. */
public final class ComparisonPlots {
  private static final int WIDTH = 1200;

  /** Of a chart. */
  static final int HEIGHT = 420;

  private static final int DEGREES = 60;
  private static final double NOTHING = 0.001;
  private static final double BYTES_OF_MB = 1 << 20;

  private ComparisonPlots() {}

  /**
   * Writes into a directory: cpu.svg and memory.svg. Of servers that took turns also latency.svg
   * and throughput.svg, and overload.svg where these rows were measured.
   */
  public static void draw(Comparison comparison, Schedule schedule, Path directory)
      throws IOException {
    List<Verdict> verdicts = comparison.verdicts();
    if (verdicts.isEmpty()) {
      return;
    }
    String other = comparison.other();
    CategoryChart serverCpu = bars(verdicts, other, "server CPU, µs", Summary::serverMicros);
    drawMemory(verdicts, other, directory);
    if (schedule == Schedule.AT_ONCE) {
      write(directory.resolve("cpu.svg"), serverCpu);
      for (String name : List.of("latency.svg", "throughput.svg", "overload.svg")) {
        Files.deleteIfExists(directory.resolve(name)); // of an earlier comparison
      }
      return;
    }
    write(
        directory.resolve("cpu.svg"),
        serverCpu,
        bars(verdicts, other, "client CPU, µs", Summary::clientMicros));
    write(
        directory.resolve("latency.svg"),
        bars(verdicts, other, "median, µs", Summary::p50Micros),
        bars(verdicts, other, "99th percentile, µs", Summary::p99Micros));
    write(
        directory.resolve("throughput.svg"),
        bars(verdicts, other, "operations/s", Summary::operationsPerSecond));
    OverloadPlot.draw(comparison, directory.resolve("overload.svg"));
  }

  private static void drawMemory(List<Verdict> verdicts, String other, Path directory)
      throws IOException {
    write(
        directory.resolve("memory.svg"),
        bars(verdicts, other, "peak RSS, MB", Summary::peakRssMb),
        bars(verdicts, other, "table, MB", summary -> summary.diskBytes() / BYTES_OF_MB));
  }

  private static void write(Path svg, CategoryChart... charts) throws IOException {
    SvgCharts.write(List.of(charts), svg);
  }

  /** On a logarithmic axis, since rows differ by a factor of a thousand. */
  private static CategoryChart bars(
      List<Verdict> verdicts, String other, String unit, ToDoubleFunction<Summary> figure) {
    CategoryChart chart =
        new CategoryChartBuilder().width(WIDTH).height(HEIGHT).yAxisTitle(unit).build();
    CategoryStyler style = chart.getStyler();
    style.setLegendPosition(Styler.LegendPosition.OutsideS);
    style.setLegendLayout(Styler.LegendLayout.Horizontal);
    style.setChartBackgroundColor(Color.WHITE);
    style.setXAxisLabelRotation(DEGREES);
    style.setYAxisLogarithmic(true);
    List<String> names = verdicts.stream().map(verdict -> verdict.row().name()).toList();
    List<Double> ours = figures(verdicts, Verdict::grampus, figure);
    List<Double> theirs = figures(verdicts, Verdict::other, figure);
    style.setYAxisMin(powerBelow(Math.min(Collections.min(ours), Collections.min(theirs))));
    chart.addSeries("Grampus", names, ours);
    chart.addSeries(other, names, theirs);
    return chart;
  }

  /** Where the axis begins, since bars on a logarithmic one cannot begin at 0. */
  static double powerBelow(double least) {
    return Math.pow(10, Math.floor(Math.log10(least)) - 1);
  }

  private static List<Double> figures(
      List<Verdict> verdicts, Function<Verdict, Summary> server, ToDoubleFunction<Summary> figure) {
    return verdicts.stream()
        .map(verdict -> drawable(figure.applyAsDouble(server.apply(verdict))))
        .toList();
  }

  /** What was not measured is drawn as next to nothing. */
  private static double drawable(double figure) {
    return Double.isNaN(figure) ? NOTHING : Math.max(figure, NOTHING);
  }
}
