package org.grampus.perf.command;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.grampus.perf.LoadSecond;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SustainedPictureTest {
  @TempDir private Path directory;

  @Test
  void pictureIsSvgOfThreeChartsBelowEachOther() throws IOException {
    Path svg = directory.resolve("picture.svg");

    SustainedPicture.draw(
        List.of(
            new LoadSecond(0, 40_000, 300, 2_000, 5_000, 2, 20, 400),
            new LoadSecond(1, 50_000, 310, 2_500, 6_000, 3, 30, 420)),
        svg);

    String text = Files.readString(svg);
    assertTrue(text.contains("<svg "), text);
    assertTrue(text.contains("width=\"1000\""), text);
    assertTrue(text.contains("height=\"900\""), text);
    assertTrue(text.contains("<path "), text);
  }
}
