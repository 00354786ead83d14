package org.grampus.perf.pe.work;

import java.lang.reflect.InvocationTargetException;
import org.grampus.perf.pe.option.PeOptions;

/** Makes the test that the command line names. */
public final class RowTestFactory {
  private static final long SEEK_ROWS = 100;

  private RowTestFactory() {}

  /**
   * A client's test, not open yet.
   *
   * @throws IllegalArgumentException when the name is neither a test nor a class that is one
   */
  public static RowTest of(PeOptions options) {
    boolean autoFlush = options.writes().autoFlush();
    return switch (options.command()) {
      case RANDOM_READ, SEQUENTIAL_READ, ASYNC_RANDOM_READ, ASYNC_SEQUENTIAL_READ -> new RowGets();
      case SCAN, REVERSE_SCAN, ASYNC_SCAN -> new ShareScan();
      case RANDOM_SEEK_SCAN -> new ShortScan(SEEK_ROWS);
      case SCAN_RANGE_10 -> new ShortScan(10);
      case SCAN_RANGE_100 -> new ShortScan(100);
      case SCAN_RANGE_1000 -> new ShortScan(1000);
      case SCAN_RANGE_10000 -> new ShortScan(10_000);
      case FILTER_SCAN -> new FilterScan();
      case ASYNC_RANDOM_WRITE, ASYNC_SEQUENTIAL_WRITE -> new DirectPuts();
      case RANDOM_WRITE, SEQUENTIAL_WRITE ->
          autoFlush ? new DirectPuts() : new BufferedWrites(client -> new RowPuts(client)::put);
      case RANDOM_DELETE, SEQUENTIAL_DELETE ->
          autoFlush
              ? new DirectDeletes()
              : new BufferedWrites(client -> new RowDeletes(client)::delete);
      case INCREMENT -> new AtomicCalls(AtomicOperations::increment);
      case APPEND -> new AtomicCalls(AtomicOperations::append);
      case CHECK_AND_PUT -> new AtomicCalls(AtomicOperations::checkAndPut);
      case CHECK_AND_MUTATE -> new AtomicCalls(AtomicOperations::checkAndMutate);
      case CHECK_AND_DELETE -> new AtomicCalls(AtomicOperations::checkAndDelete);
      case META_WRITE, META_RANDOM_READ, CLEAN_META -> new MetaRows();
      case CUSTOM -> custom(options.name());
    };
  }

  /**
   * A class of the user's.
   *
   * @throws IllegalArgumentException when there is none of the name, or when it is no test
   */
  public static Class<? extends RowTest> classOf(String name) {
    try {
      return Class.forName(name, true, Thread.currentThread().getContextClassLoader())
          .asSubclass(RowTest.class);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(
          name + " is neither a test nor a class on the class path; see --help for the tests", e);
    } catch (ClassCastException e) {
      throw new IllegalArgumentException(
          name
              + " does not extend "
              + RowTest.class.getName()
              + "; a class that extends HBase's Test runs with pe --stock",
          e);
    }
  }

  private static RowTest custom(String name) {
    try {
      return classOf(name).getDeclaredConstructor().newInstance();
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(name + " cannot be made: " + e.getCause(), e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          name + " needs to be public, with a public constructor without parameters", e);
    }
  }
}
