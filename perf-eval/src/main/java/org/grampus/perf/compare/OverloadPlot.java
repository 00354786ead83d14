package org.grampus.perf.compare;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.grampus.perf.result.SvgCharts;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;

/** What becomes of throughput, latency and errors as more threads call. */
final class OverloadPlot {
  private static final int WIDTH = 800;
  private static final int HEIGHT = 300;
  private static final double MICROS_OF_MILLI = 1000;

  private OverloadPlot() {}

  /** Writes it, unless no row was measured. */
  static void draw(Comparison comparison, Path svg) throws IOException {
    List<Verdict> rows =
        comparison.verdicts().stream().filter(verdict -> OverloadRows.has(verdict.row())).toList();
    if (rows.isEmpty()) {
      return;
    }
    String other = comparison.other();
    SvgCharts.write(
        List.of(
            chart(rows, other, "operations/s", Summary::operationsPerSecond),
            chart(rows, other, "p99, ms", summary -> summary.p99Micros() / MICROS_OF_MILLI),
            chart(rows, other, "errors", Summary::errors)),
        svg);
  }

  private static XYChart chart(
      List<Verdict> rows, String other, String unit, ToDoubleFunction<Summary> figure) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .xAxisTitle("times the threads")
            .yAxisTitle(unit)
            .build();
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setYAxisMin(0.0);
    double[] times = rows.stream().mapToDouble(row -> OverloadRows.times(row.row())).toArray();
    chart.addSeries("Grampus", times, figures(rows, Verdict::grampus, figure));
    chart.addSeries(other, times, figures(rows, Verdict::other, figure));
    return chart;
  }

  private static double[] figures(
      List<Verdict> rows, Function<Verdict, Summary> server, ToDoubleFunction<Summary> figure) {
    return rows.stream().map(server).mapToDouble(figure).toArray();
  }
}
