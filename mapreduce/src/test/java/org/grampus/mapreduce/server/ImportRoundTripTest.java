package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** What a download has written is imported as the same cells. */
class ImportRoundTripTest extends ImportCase {
  private static final String SPLIT = "mapreduce.input.fileinputformat.split.maxsize=20000";
  private static final List<String> TYPED =
      List.of(
          "f:b=b:bytes",
          "f:s=s:string",
          "f:y=y:byte",
          "f:h=h:short",
          "f:i=i:int",
          "f:l=l:long",
          "f:e=e:float",
          "f:d=d:double",
          "f:o=o:boolean",
          "f:t=t:timestamp",
          "f:lt=lt:long(text)",
          "f:dt=dt:double(text)",
          "f:ot=ot:boolean(text)",
          "f:m=m:decimal(12,3)",
          "g:=g:string");
  private static final String COLUMNS = ":key=k:bytes," + String.join("+ts,", TYPED) + "+ts";

  /** Rows of every type with nulls, and keys and values of any bytes. */
  private void fillTyped(long seed, boolean anyText) throws IOException {
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    long now = System.currentTimeMillis();
    List<Put> rows = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      byte[] key = new byte[1 + random.nextInt(12)];
      random.nextBytes(key);
      Put row = new Put(key);
      byte[][] values = values(random, anyText);
      for (int c = 0; c < values.length; c++) {
        if (values[c] != null && random.nextInt(4) > 0) {
          String column = TYPED.get(c).substring(2, TYPED.get(c).indexOf('='));
          row.addColumn(TYPED.get(c).startsWith("g") ? G : F, b(column), now + i, values[c]);
        }
      }
      if (!row.isEmpty()) {
        rows.add(row);
      }
    }
    table.put(rows);
  }

  private static byte[][] values(Random random, boolean anyText) {
    byte[] any = new byte[random.nextInt(anyText ? 40 : 8) + 1];
    random.nextBytes(any);
    String[] texts = {
      "", "plain", "a,b", "say \"x\"", "two\r\nlines", "\t", "ä€𝄞", " x ", "\\x00"
    };
    String text =
        anyText
            ? texts[random.nextInt(texts.length)] + texts[random.nextInt(texts.length)]
            : "ä,\"";
    float[] floats = {Float.NaN, -0.0f, Float.POSITIVE_INFINITY, 1e-40f, random.nextFloat()};
    double[] doubles = {Double.NaN, -0.0, Double.NEGATIVE_INFINITY, 1e300, random.nextDouble()};
    long time = random.nextInt(3) == 0 ? random.nextLong() : random.nextInt() * 1000L;
    return new byte[][] {
      any,
      b(text),
      {any[0]},
      Bytes.toBytes((short) random.nextInt()),
      Bytes.toBytes(random.nextInt()),
      Bytes.toBytes(random.nextLong()),
      Bytes.toBytes(floats[random.nextInt(floats.length)]),
      Bytes.toBytes(doubles[random.nextInt(doubles.length)]),
      Bytes.toBytes(random.nextBoolean()),
      Bytes.toBytes(time),
      b(String.valueOf(random.nextLong())),
      b(random.nextInt(1000) + ".5"),
      b(String.valueOf(random.nextBoolean())),
      b(random.nextInt(1000) + ".250"),
      anyText && random.nextInt(5) == 0 ? new byte[0] : b("g" + text),
    };
  }

  private void createLike(String... options) throws Exception {
    createLike(false, options);
  }

  /** With column files, too. */
  private void createLikeAndLoad(String... options) throws Exception {
    createLike(options);
    createLike(true, bulk(options));
    assertFalse(Files.exists(stagingDirectory()));
  }

  /** All versions are compared; a table that is created keeps one. */
  private void createLike(boolean inRegions, String... options) throws Exception {
    List<String> more = new ArrayList<>(List.of(options));
    more.add(inRegions ? "--regions=3" : "--regions=1");
    assertEquals(0, importing(more.toArray(new String[0])));
    assertEquals(
        scanned(name, new Scan()),
        scanned(copy, new Scan().readAllVersions()),
        String.join(" ", options));
    drop(copy);
  }

  @Test
  void everyFormatComesBackCellByCell() throws Exception {
    create(new byte[] {0x40}, new byte[] {(byte) 0xA0});
    fillTyped(System.nanoTime(), true);
    for (String format : List.of("csv", "jsonl", "parquet", "avro")) {
      assertEquals(0, download(format, "--format=" + format, "--columns=" + COLUMNS), format);
      String from = target(format).toString();
      createLikeAndLoad(from, "--table", copy.toString(), "--columns", COLUMNS, "-D", SPLIT);
    }
  }

  /** Tabs have no form for what has a control character, and none for empty text. */
  @Test
  void tabsComeBackWhereTheyHaveAForm() throws Exception {
    create();
    fillTyped(System.nanoTime(), false);
    assertEquals(0, download("tsv", "--format=tsv", "--columns=" + COLUMNS));
    createLikeAndLoad(target("tsv") + "/part-*", "--table", copy.toString(), "--columns", COLUMNS);
    String all = target("tsv").toString();
    createLike(all, "--table", copy.toString(), "-D", SPLIT);
  }

  /** Timestamps are in the files where whole cells are. */
  @Test
  void wholeCellsComeBack() throws Exception {
    create(b(row(20)));
    fillTyped(System.nanoTime(), true);
    for (String format : List.of("seq", "jsonl", "parquet", "avro")) {
      String columns = format.equals("seq") ? ":key" : "*";
      String target = "all-" + format;
      assertEquals(
          0,
          format.equals("seq")
              ? download(target, "--format=seq")
              : download(target, "--format=" + format, "--columns=" + columns));
      String refusal = importRefusal(target(target).toString(), copy.toString());
      assertTrue(refusal.contains("which families"), refusal);
      String[] options = {
        target(target).toString(), copy.toString(), "--family", "f,g", "-D", SPLIT
      };
      if (format.equals("seq")) {
        createLikeAndLoad(options);
      } else {
        createLike(options);
      }
    }
  }

  @Test
  void aDownloadSaysItsOwnColumns() throws Exception {
    create();
    table.put(
        new Put(b("r")).addColumn(F, b("a,b"), 5, b("1")).addColumn(G, new byte[] {0}, 5, b("2")));
    assertEquals(0, download("found", "--format=csv"));
    createLike(target("found").toString(), copy.toString(), "--timestamp", "5");
  }

  @Test
  void aDownloadThatIsNotCompleteIsRefused() throws Exception {
    create();
    table.put(new Put(b("r")).addColumn(F, b("q"), 5, b("1")));
    assertEquals(0, download("found", "--format=csv"));
    String from = target("found").toString();
    Files.delete(target("found").resolve("part-00000.csv"));
    String missing = importRefusal(from, "--table=" + copy);
    assertTrue(missing.contains("part-00000.csv") && missing.contains("not complete"), missing);
    for (String damage : List.of("{\"table\": ", "", "{}", "[]")) {
      Files.writeString(target("found").resolve("_manifest.json"), damage);
      String damaged = importRefusal(from, "--table=" + copy);
      assertTrue(damaged.contains("_manifest.json is no manifest of a download"), damaged);
    }
  }

  @Test
  void compressedTextIsRead() throws Exception {
    Path file = directory.resolve("a.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write("k,v\n1,\"a\nb\"\n2,c\n".getBytes(StandardCharsets.UTF_8));
    }
    assertEquals(0, importing(file.toString(), copy.toString(), "--key=k", "--timestamp=3"));
    Put first = new Put(b("1")).addColumn(F, b("k"), 3, b("1")).addColumn(F, b("v"), 3, b("a\nb"));
    Put second = new Put(b("2")).addColumn(F, b("k"), 3, b("2")).addColumn(F, b("v"), 3, b("c"));
    create();
    table.put(List.of(first, second));
    assertEquals(scanned(name, new Scan()), scanned(copy, new Scan()));
  }
}
