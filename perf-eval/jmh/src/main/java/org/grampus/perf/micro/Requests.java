package org.grampus.perf.micro;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.util.Bytes;

/** Requests as HBase's client makes them, for a table of one family and values of 1,000 bytes. */
final class Requests {
  static final byte[] FAMILY = Bytes.toBytes("info0");
  static final List<byte[]> FAMILIES = List.of(FAMILY);
  static final byte[] QUALIFIER = Bytes.toBytes("0");
  static final int VALUE_BYTES = 1000;
  private static final byte[] REGION = Bytes.toBytes("TestTable,,1.0123456789abcdef.");
  private static final int KEY_DIGITS = 26;

  private Requests() {}

  /** The key of a row: its number in 26 digits, as PerformanceEvaluation has it. */
  static byte[] row(int number) {
    return Bytes.toBytes(String.format("%0" + KEY_DIGITS + "d", number));
  }

  static byte[] value() {
    byte[] value = new byte[VALUE_BYTES];
    new Random(1).nextBytes(value);
    return value;
  }

  static ClientProtos.GetRequest get(int row) {
    try {
      return RequestConverter.buildGetRequest(
          REGION, new Get(row(row)).addColumn(FAMILY, QUALIFIER));
    } catch (IOException e) {
      throw new IllegalStateException("a get could not be made", e);
    }
  }

  static ClientProtos.MutateRequest put(int row) {
    try {
      return RequestConverter.buildMutateRequest(
          REGION, new Put(row(row)).addColumn(FAMILY, QUALIFIER, value()));
    } catch (IOException e) {
      throw new IllegalStateException("a put could not be made", e);
    }
  }

  static ClientProtos.Scan scan() {
    try {
      return ProtobufUtil.toScan(new Scan().addColumn(FAMILY, QUALIFIER).setCaching(100));
    } catch (IOException e) {
      throw new IllegalStateException("a scan could not be made", e);
    }
  }
}
