package org.grampus.perf.ycsb;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * YCSB's operations as calls of the stock client: a record is a row, a field is a column of one
 * family. A call that fails is an error of its operation. For one thread; threads share the
 * connection.
 */
final class HBaseDatabase extends DB {
  /** The family of all fields. */
  static final byte[] FAMILY = Bytes.toBytes("f");

  private final Connection connection;
  private final BufferedMutator buffer;

  /** Each write is a call. */
  HBaseDatabase(Connection connection) {
    this(connection, null);
  }

  /**
   * Inserts go to a buffer, of which the caller hears when one has failed.
   *
   * @param buffer null for none
   */
  HBaseDatabase(Connection connection, BufferedMutator buffer) {
    this.connection = connection;
    this.buffer = buffer;
  }

  /** What an operation does with its table. */
  @FunctionalInterface
  private interface Call {
    Status on(Table table) throws IOException;
  }

  private Status call(String name, Call call) {
    try (Table table = connection.getTable(TableName.valueOf(name))) {
      return call.on(table);
    } catch (IOException e) {
      return new Status("ERROR", e.toString()); // YCSB counts errors and goes on
    }
  }

  @Override
  public Status read(
      String name, String key, Set<String> fields, Map<String, ByteIterator> record) {
    return call(
        name,
        table -> {
          Get get = new Get(Bytes.toBytes(key));
          if (fields == null) {
            get.addFamily(FAMILY);
          } else {
            fields.forEach(field -> get.addColumn(FAMILY, Bytes.toBytes(field)));
          }
          Result found = table.get(get);
          copy(found, record);
          return found.isEmpty() ? Status.NOT_FOUND : Status.OK;
        });
  }

  @Override
  @SuppressWarnings("NonApiType") // YCSB's signature
  public Status scan(
      String name,
      String firstKey,
      int count,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> records) {
    return call(
        name,
        table -> {
          Scan scan =
              new Scan().withStartRow(Bytes.toBytes(firstKey)).setLimit(count).setCaching(count);
          if (fields != null) {
            fields.forEach(field -> scan.addColumn(FAMILY, Bytes.toBytes(field)));
          }
          try (ResultScanner scanner = table.getScanner(scan)) {
            for (Result found : scanner) {
              HashMap<String, ByteIterator> record = new HashMap<>();
              copy(found, record);
              records.add(record);
            }
          }
          return Status.OK;
        });
  }

  private static void copy(Result found, Map<String, ByteIterator> record) {
    for (Cell cell : found.rawCells()) {
      record.put(
          Bytes.toString(CellUtil.cloneQualifier(cell)),
          new ByteArrayByteIterator(CellUtil.cloneValue(cell)));
    }
  }

  @Override
  public Status update(String name, String key, Map<String, ByteIterator> fields) {
    return call(
        name,
        table -> {
          table.put(put(key, fields));
          return Status.OK;
        });
  }

  private static Put put(String key, Map<String, ByteIterator> fields) {
    Put put = new Put(Bytes.toBytes(key));
    fields.forEach((field, value) -> put.addColumn(FAMILY, Bytes.toBytes(field), value.toArray()));
    return put;
  }

  /** A row that is there gets other fields, as everywhere in HBase. */
  @Override
  public Status insert(String name, String key, Map<String, ByteIterator> fields) {
    if (buffer == null) {
      return update(name, key, fields);
    }
    return call(
        name,
        table -> {
          buffer.mutate(put(key, fields));
          return Status.OK;
        });
  }

  @Override
  public Status delete(String name, String key) {
    return call(
        name,
        table -> {
          table.delete(new Delete(Bytes.toBytes(key)));
          return Status.OK;
        });
  }
}
