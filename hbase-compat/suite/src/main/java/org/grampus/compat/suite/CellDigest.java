package org.grampus.compat.suite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Counts a table's rows and cells through a stock scan and digests them (SHA-256 over every part
 * with its length), so that two servers with the same history can be compared. What a workload
 * draws by chance or by the clock can be left out.
 */
@Command(
    name = "digest",
    mixinStandardHelpOptions = true,
    description = "Counts and digests the cells of a table.")
public final class CellDigest implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "TABLE")
  private String name;

  @Option(
      names = "--timestamps",
      description = "Includes timestamps; only for data with timestamps of its own.")
  private boolean timestamps;

  @Option(
      names = "--value-lengths",
      description =
          "Digests the lengths of values instead of the values, for data drawn by chance.")
  private boolean valueLengths;

  private final MessageDigest digest;
  private long rows;
  private long cells;

  private CellDigest() throws NoSuchAlgorithmException {
    digest = MessageDigest.getInstance("SHA-256");
  }

  /** Prints {@code rows=N cells=N digest=HEX}. */
  public static void main(String[] args) throws NoSuchAlgorithmException {
    System.exit(new CommandLine(new CellDigest()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Table table = connection.getTable(TableName.valueOf(name));
        ResultScanner scanner = table.getScanner(new Scan().readAllVersions().setCaching(1000))) {
      for (Result result : scanner) {
        rows++;
        for (Cell cell : result.rawCells()) {
          add(cell);
        }
      }
    }
    System.out.printf(
        "rows=%d cells=%d digest=%s%n", rows, cells, HexFormat.of().formatHex(digest.digest()));
    return 0;
  }

  private void add(Cell cell) {
    cells++;
    add(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength());
    add(cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength());
    add(cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength());
    if (timestamps) {
      digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, cell.getTimestamp()));
    }
    if (valueLengths) {
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, cell.getValueLength()));
    } else {
      add(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    }
  }

  private void add(byte[] bytes, int offset, int length) {
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, length));
    digest.update(bytes, offset, length);
  }
}
