package org.grampus.perf.command;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.grampus.perf.LoadSecond;
import org.grampus.perf.result.SvgCharts;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A sustained load over its seconds: rows, latencies, and what the server holds. */
final class SustainedPicture {
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 300;

  private SustainedPicture() {}

  /** Writes it as SVG. */
  static void draw(List<LoadSecond> load, Path svg) throws IOException {
    XYChart rows = chart("", "rows/s");
    add(rows, "rows acknowledged per second", load, LoadSecond::rows);
    XYChart latencies = chart("", "ms");
    add(
        latencies,
        "synchronous puts, 99th percentile",
        load,
        second -> second.putP99Micros() / 1000.0);
    add(latencies, "median", load, second -> second.putP50Micros() / 1000.0);
    XYChart held = chart("seconds", "files; MB / 100");
    add(held, "files of the store", load, LoadSecond::storeFiles);
    add(held, "memtables, MB / 100", load, second -> second.memstoreMb() / 100.0);
    add(held, "resident, MB / 100", load, second -> second.rssMb() / 100.0);
    SvgCharts.write(List.of(rows, latencies, held), svg);
  }

  private static XYChart chart(String x, String y) {
    XYChart chart =
        new XYChartBuilder().width(WIDTH).height(HEIGHT).xAxisTitle(x).yAxisTitle(y).build();
    XYStyler style = chart.getStyler();
    style.setLegendPosition(Styler.LegendPosition.OutsideS);
    style.setLegendLayout(Styler.LegendLayout.Horizontal);
    style.setChartBackgroundColor(Color.WHITE);
    style.setYAxisDecimalPattern("#,##0.#");
    style.setYAxisMin(0.0);
    return chart;
  }

  private static void add(
      XYChart chart, String name, List<LoadSecond> load, ToDoubleFunction<LoadSecond> figure) {
    double[] x = load.stream().mapToDouble(LoadSecond::second).toArray();
    double[] y = load.stream().mapToDouble(figure).toArray();
    chart.addSeries(name, x, y).setMarker(SeriesMarkers.NONE);
  }
}
