package org.grampus.server.info;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class HtmlTest {
  private static String row(Object cell) {
    return new Html().row(cell).toString();
  }

  @Test
  void aShortKeyIsShownWholeAndEscaped() {
    assertEquals("<tr><td>a&lt;b&gt;\\x00</td></tr>", row(Html.key(Bytes.toBytes("a<b>\0"))));
    assertEquals("<tr><td></td></tr>", row(Html.key(new byte[0])));
    assertEquals("<tr><td>" + "k".repeat(64) + "</td></tr>", row(Html.key(key(64))));
  }

  private static byte[] key(int length) {
    return Bytes.toBytes("k".repeat(length));
  }

  @Test
  void aLongKeyIsCutAndItsLengthIsInTheTitle() {
    assertEquals(
        "<tr><td title=\"30000 bytes\">" + "k".repeat(64) + "…</td></tr>",
        row(Html.key(key(30_000))));
  }

  @Test
  void aBinaryKeyIsCutBetweenItsBytes() {
    assertEquals(
        "<tr><td title=\"18 bytes\">" + "\\x00".repeat(16) + "…</td></tr>",
        row(Html.key(new byte[18])));
    byte[] odd = new byte[17];
    odd[0] = 'a';
    assertEquals(
        "<tr><td title=\"17 bytes\">a" + "\\x00".repeat(15) + "…</td></tr>", row(Html.key(odd)));
  }

  @Test
  void aLongNameOfARegionKeepsItsEnd() {
    String end = ".0123456789abcdef0123456789abcdef.";
    String name = "table," + "k".repeat(30_000) + ",1700000000000" + end;

    assertEquals("<tr><td>table,k,1" + end + "</td></tr>", row(Html.regionName("table,k,1" + end)));
    assertEquals(
        "<tr><td title=\""
            + name.length()
            + " characters\">table,"
            + "k".repeat(58)
            + "…"
            + end
            + "</td></tr>",
        row(Html.regionName(name)));
  }
}
