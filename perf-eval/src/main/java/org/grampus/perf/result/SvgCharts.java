package org.grampus.perf.result;

import java.awt.Dimension;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGraphics2D;
import org.knowm.xchart.internal.chartpart.Chart;
import org.w3c.dom.Document;

/**
 * Charts, one below the other, as an SVG file. XChart's own way to SVG is not used: it needs a
 * library under the LGPL.
 */
public final class SvgCharts {
  private static final String NAMESPACE = "http://www.w3.org/2000/svg";

  private SvgCharts() {}

  /**
   * Writes the file; every chart keeps its own size.
   *
   * @throws IOException when it cannot be written, or when this JVM has no fonts
   */
  public static void write(List<? extends Chart<?, ?>> charts, Path file) throws IOException {
    System.setProperty("java.awt.headless", "true");
    try {
      draw(charts, file);
    } catch (InternalError | LinkageError e) { // what AWT throws without fontconfig or its library
      throw new IOException("this JVM cannot draw text; install fontconfig and a font", e);
    }
  }

  private static void draw(List<? extends Chart<?, ?>> charts, Path file) throws IOException {
    SVGGraphics2D svg = new SVGGraphics2D(document());
    int width = 0;
    int height = 0;
    for (Chart<?, ?> chart : charts) {
      chart.paint(svg, chart.getWidth(), chart.getHeight());
      svg.translate(0, chart.getHeight());
      width = Math.max(width, chart.getWidth());
      height += chart.getHeight();
    }
    svg.setSVGCanvasSize(new Dimension(width, height));
    try (Writer out = Files.newBufferedWriter(file)) {
      svg.stream(out, true);
    }
  }

  private static Document document() throws IOException {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .getDOMImplementation()
          .createDocument(NAMESPACE, "svg", null);
    } catch (ParserConfigurationException e) {
      throw new IOException("this JVM has no XML documents", e);
    }
  }
}
