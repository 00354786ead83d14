package org.grampus.compat.suite;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** A table of its own per test on the shared server, and short words for what every test says. */
abstract class CompatTest {
  static final byte[] F = b("f");
  static final byte[] G = b("g");
  static final byte[] Q = b("q");

  private static int tables;

  Connection connection;
  Admin admin;
  TableName name;
  Table table;

  static byte[] b(String text) {
    return Bytes.toBytes(text);
  }

  @BeforeEach
  void openTable(TestInfo test) throws Exception {
    connection = SharedServer.get().connection();
    admin = connection.getAdmin();
    name = TableName.valueOf(test.getTestMethod().orElseThrow().getName() + tables++);
    List<ColumnFamilyDescriptor> families = families();
    if (!families.isEmpty()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name).setColumnFamilies(families).build());
    }
    table = connection.getTable(name);
  }

  @AfterEach
  void dropTable() throws IOException {
    table.close();
    if (admin.tableExists(name)) {
      if (admin.isTableEnabled(name)) {
        admin.disableTable(name);
      }
      admin.deleteTable(name);
    }
    admin.close();
  }

  /** Families of the test's table; none for a test that makes its own. */
  List<ColumnFamilyDescriptor> families() {
    return List.of(
        ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(5).build(),
        ColumnFamilyDescriptorBuilder.of(G));
  }

  List<Result> scan(Scan scan) throws IOException {
    List<Result> results = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      scanner.forEach(results::add);
    }
    return results;
  }

  /** {@code row/family:qualifier@timestamp=value} for each cell. */
  static String show(Result result) {
    StringJoiner text = new StringJoiner(" ");
    if (!result.isEmpty()) {
      for (Cell cell : result.rawCells()) {
        text.add(show(cell));
      }
    }
    return text.toString();
  }

  static String show(Cell cell) {
    return Bytes.toString(CellUtil.cloneRow(cell))
        + "/"
        + Bytes.toString(CellUtil.cloneFamily(cell))
        + ":"
        + Bytes.toString(CellUtil.cloneQualifier(cell))
        + "@"
        + cell.getTimestamp()
        + (cell.getType() == Cell.Type.Put
            ? "=" + Bytes.toString(CellUtil.cloneValue(cell))
            : "!" + cell.getType());
  }

  String show(Scan scan) throws IOException {
    StringJoiner text = new StringJoiner(" ");
    for (Result result : scan(scan)) {
      text.add(show(result));
    }
    return text.toString();
  }

  String rows(Scan scan) throws IOException {
    StringJoiner text = new StringJoiner(" ");
    for (Result result : scan(scan)) {
      text.add(Bytes.toString(result.getRow()));
    }
    return text.toString();
  }
}
