package org.grampus.perf.pe.report;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;
import org.grampus.perf.pe.client.RunResult;
import org.grampus.perf.pe.measure.Interval;
import org.grampus.perf.pe.measure.Series;
import org.grampus.perf.result.SvgCharts;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Throughput and latency over time, and latency by percentile, as SVG. */
final class Plots {
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 400;
  private static final double MILLIS_OF_SECOND = 1000.0;
  private static final double MICROS_OF_MILLI = 1000.0;

  /** How many requests there are for each slower one, on an axis with equal steps for tens. */
  private static final double[] ONE_OF = {1, 1.25, 2, 4, 10, 20, 100, 1000, 10_000, 100_000};

  private static final double ALL_PERCENT = 100;

  private Plots() {}

  /** Writes them; a run without an answer, or without a measured one, has fewer. */
  static void write(Path directory, RunResult run) throws IOException {
    Series series = run.series();
    if (!series.intervals().isEmpty()) {
      SvgCharts.write(List.of(throughput(run, series)), directory.resolve("throughput.svg"));
      SvgCharts.write(List.of(latency(run, series)), directory.resolve("latency.svg"));
    }
    Histogram micros = run.latencies().service();
    if (micros.getTotalCount() > 0) {
      SvgCharts.write(List.of(percentiles(run)), directory.resolve("percentiles.svg"));
    }
  }

  private static XYChart throughput(RunResult run, Series series) {
    double seconds = series.millis() / MILLIS_OF_SECOND;
    XYChart chart = chart(run, "seconds", "operations/s");
    add(chart, "all clients", series, interval -> interval.operations() / seconds);
    return chart;
  }

  private static XYChart latency(RunResult run, Series series) {
    XYChart chart = chart(run, "seconds", "ms");
    add(chart, "greatest", series, one -> one.micros().getMaxValue() / MICROS_OF_MILLI);
    add(chart, "99th percentile", series, percentile(99));
    add(chart, "median", series, percentile(50));
    return chart;
  }

  private static ToDoubleFunction<Interval> percentile(double percent) {
    return one -> one.micros().getValueAtPercentile(percent) / MICROS_OF_MILLI;
  }

  private static XYChart percentiles(RunResult run) {
    XYChart chart = chart(run, "one request in N is slower", "ms");
    chart.getStyler().setXAxisLogarithmic(true);
    percentiles(chart, "from the request", run.latencies().service());
    if (!run.latencies().response().equals(run.latencies().service())) {
      percentiles(chart, "from when it was due", run.latencies().response());
    }
    return chart;
  }

  private static void percentiles(XYChart chart, String name, Histogram micros) {
    double[] millis =
        DoubleStream.of(ONE_OF)
            .map(of -> micros.getValueAtPercentile(ALL_PERCENT - ALL_PERCENT / of))
            .map(value -> value / MICROS_OF_MILLI)
            .toArray();
    chart.addSeries(name, ONE_OF, millis).setMarker(SeriesMarkers.NONE);
  }

  private static XYChart chart(RunResult run, String x, String y) {
    XYChart chart =
        new XYChartBuilder().width(WIDTH).height(HEIGHT).xAxisTitle(x).yAxisTitle(y).build();
    if (run.isPartial()) {
      chart.setTitle("partial: " + run.extent());
    }
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(Styler.LegendLayout.Horizontal);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setYAxisMin(0.0);
    return chart;
  }

  private static void add(
      XYChart chart, String name, Series series, ToDoubleFunction<Interval> figure) {
    List<Double> seconds = new ArrayList<>();
    List<Double> figures = new ArrayList<>();
    series
        .intervals()
        .forEach(
            (begin, interval) -> {
              seconds.add(seconds.size() * series.millis() / MILLIS_OF_SECOND);
              figures.add(figure.applyAsDouble(interval));
            });
    chart.addSeries(name, seconds, figures).setMarker(SeriesMarkers.NONE);
  }
}
