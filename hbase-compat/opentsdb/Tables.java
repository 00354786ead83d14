import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** Makes the tables of OpenTSDB and the one of {@code KeyPatterns}, each {@code name=family,...}. */
public final class Tables {
  private Tables() {}

  public static void main(String[] args) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Admin admin = connection.getAdmin()) {
      for (String table : args) {
        String[] parts = table.split("=");
        TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(TableName.valueOf(parts[0]));
        for (String family : parts[1].split(",")) {
          builder.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
        }
        admin.createTable(builder.build());
      }
    }
  }
}
