package org.grampus.perf.pe.option;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** The tests, with HBase's names. */
public enum Command {
  APPEND(
      "append",
      "AppendTest",
      "Append on each row; clients overlap on keyspace so some concurrent operations",
      Trait.ATOMIC),
  ASYNC_RANDOM_READ(
      "asyncRandomRead",
      "AsyncRandomReadTest",
      "Run async random read test",
      Trait.GET,
      Trait.ASYNC,
      Trait.RANDOM),
  ASYNC_RANDOM_WRITE(
      "asyncRandomWrite",
      "AsyncRandomWriteTest",
      "Run async random write test",
      Trait.PUT,
      Trait.ASYNC,
      Trait.RANDOM),
  ASYNC_SCAN(
      "asyncScan",
      "AsyncScanTest",
      "Run async scan test (read every row)",
      Trait.SCAN,
      Trait.ASYNC),
  ASYNC_SEQUENTIAL_READ(
      "asyncSequentialRead",
      "AsyncSequentialReadTest",
      "Run async sequential read test",
      Trait.GET,
      Trait.ASYNC),
  ASYNC_SEQUENTIAL_WRITE(
      "asyncSequentialWrite",
      "AsyncSequentialWriteTest",
      "Run async sequential write test",
      Trait.PUT,
      Trait.ASYNC),
  CHECK_AND_DELETE(
      "checkAndDelete",
      "CheckAndDeleteTest",
      "CheckAndDelete on each row; clients overlap on keyspace so some concurrent operations",
      Trait.ATOMIC),
  CHECK_AND_MUTATE(
      "checkAndMutate",
      "CheckAndMutateTest",
      "CheckAndMutate on each row; clients overlap on keyspace so some concurrent operations",
      Trait.ATOMIC),
  CHECK_AND_PUT(
      "checkAndPut",
      "CheckAndPutTest",
      "CheckAndPut on each row; clients overlap on keyspace so some concurrent operations",
      Trait.ATOMIC),
  CLEAN_META(
      "cleanMeta",
      "CleanMetaTest",
      "Remove fake region entries on meta table inserted by metaWrite; used with 1 thread",
      Trait.META),
  FILTER_SCAN(
      "filterScan",
      "FilteredScanTest",
      "Run scan test using a filter to find a specific row based on its value"
          + " (make sure to use --rows=20)",
      Trait.SHORT_SCAN),
  INCREMENT(
      "increment",
      "IncrementTest",
      "Increment on each row; clients overlap on keyspace so some concurrent operations",
      Trait.ATOMIC),
  META_RANDOM_READ(
      "metaRandomRead",
      "MetaRandomReadTest",
      "Run getRegionLocation test",
      Trait.META,
      Trait.RANDOM),
  META_WRITE(
      "metaWrite",
      "MetaWriteTest",
      "Populate meta table;used with 1 thread; to be cleaned up by cleanMeta",
      Trait.META),
  RANDOM_DELETE(
      "randomDelete", "RandomDeleteTest", "Run random delete test", Trait.DELETE, Trait.RANDOM),
  RANDOM_READ("randomRead", "RandomReadTest", "Run random read test", Trait.GET, Trait.RANDOM),
  RANDOM_SEEK_SCAN(
      "randomSeekScan",
      "RandomSeekScanTest",
      "Run random seek and scan 100 test",
      Trait.SHORT_SCAN,
      Trait.RANDOM),
  RANDOM_WRITE("randomWrite", "RandomWriteTest", "Run random write test", Trait.PUT, Trait.RANDOM),
  REVERSE_SCAN(
      "reverseScan", "ReverseScanTest", "Run reverse scan test (read every row)", Trait.SCAN),
  SCAN("scan", "ScanTest", "Run scan test (read every row)", Trait.SCAN),
  SCAN_RANGE_10(
      "scanRange10", "RandomScanWithRange10Test", range(10), Trait.SHORT_SCAN, Trait.RANDOM),
  SCAN_RANGE_100(
      "scanRange100", "RandomScanWithRange100Test", range(100), Trait.SHORT_SCAN, Trait.RANDOM),
  SCAN_RANGE_1000(
      "scanRange1000", "RandomScanWithRange1000Test", range(1000), Trait.SHORT_SCAN, Trait.RANDOM),
  SCAN_RANGE_10000(
      "scanRange10000",
      "RandomScanWithRange10000Test",
      range(10000),
      Trait.SHORT_SCAN,
      Trait.RANDOM),
  SEQUENTIAL_DELETE(
      "sequentialDelete", "SequentialDeleteTest", "Run sequential delete test", Trait.DELETE),
  SEQUENTIAL_READ("sequentialRead", "SequentialReadTest", "Run sequential read test", Trait.GET),
  SEQUENTIAL_WRITE(
      "sequentialWrite", "SequentialWriteTest", "Run sequential write test", Trait.PUT),
  /** A class of the user's, which is named instead of a test. */
  CUSTOM("", "", "", Trait.CUSTOM);

  private final String text;
  private final String testClass;
  private final String description;

  @SuppressWarnings("ImmutableEnumChecker") // a copy that refuses changes
  private final Set<Trait> traits;

  Command(String text, String testClass, String description, Trait first, Trait... more) {
    this.text = text;
    this.testClass = testClass;
    this.description = description;
    this.traits = Set.copyOf(EnumSet.of(first, more));
  }

  private static String range(int rows) {
    return "Run random seek scan with both start and stop row (max " + rows + " rows)";
  }

  /** The test of a name; empty when it is none. */
  public static Optional<Command> named(String name) {
    return Arrays.stream(values()).filter(one -> one != CUSTOM && one.text.equals(name)).findAny();
  }

  /** Whether the test is so. */
  public boolean is(Trait trait) {
    return traits.contains(trait);
  }

  /** Whether it leaves the table as it is. */
  public boolean isRead() {
    return is(Trait.GET) || is(Trait.SCAN) || is(Trait.SHORT_SCAN);
  }

  /** Whether it makes its table when there is none. */
  public boolean createsTable() {
    return is(Trait.PUT) || is(Trait.ATOMIC) || is(Trait.CUSTOM) || this == META_WRITE;
  }

  /** The name of the class that HBase has for it, which stands in what is printed. */
  public String testClass() {
    return testClass;
  }

  /** One line for the usage. */
  public String description() {
    return description;
  }

  /** HBase's name. */
  @Override
  public String toString() {
    return text;
  }
}
