package org.grampus.compat.protocol;

import org.apache.hadoop.hbase.ipc.FatalConnectionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;

/**
 * What a connection header sets for the life of its connection.
 *
 * @param service simple name of the service
 * @param effectiveUser the user for whom calls run, or null
 * @param codec how cells travel
 * @param compressor compresses cell blocks, or null
 * @param version the client's version
 */
public record ConnectionProfile(
    String service,
    String effectiveUser,
    CellCodec codec,
    CellBlockCompressor compressor,
    ClientVersion version) {

  /** Reads a header; refuses codecs and compressors that are not known, as HBase does. */
  public static ConnectionProfile of(ConnectionHeader header) throws FatalConnectionException {
    CellCodec codec = CellCodec.named(header.getCellBlockCodecClass());
    boolean compressed = codec.hasCellBlocks() && header.hasCellBlockCompressorClass();
    return new ConnectionProfile(
        header.getServiceName(),
        header.getUserInfo().hasEffectiveUser() ? header.getUserInfo().getEffectiveUser() : null,
        codec,
        compressed ? CellBlockCompressor.named(header.getCellBlockCompressorClass()) : null,
        header.hasVersionInfo()
            ? ClientVersion.of(header.getVersionInfo())
            : ClientVersion.UNKNOWN);
  }
}
